// The parser throws; its messages are technical, but they give the position.
#include "remap/json_report.h"

#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace capwright::remap {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 100;
constexpr std::size_t kLongestText = 4000;  // bytes

}  // namespace

std::optional<std::string> parse_report(std::string_view text, Json& json) {
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  try {
    json = Json::parse(text.begin(), text.end(), look);
  } catch (const Json::parse_error& error) {
    return fmt::format("it isn't JSON from byte {} on", error.byte);
  } catch (const Json::exception&) {
    return "it contains a number that is too large";
  }
  if (too_deep) return fmt::format("it is nested more than {} deep", kDeepest);
  if (!json.is_object()) return "it isn't a JSON object";
  return std::nullopt;
}

const Json& at(const Json& json, const char* key) {
  static const Json null;
  if (!json.is_object()) return null;
  const auto found = json.find(key);
  return found == json.end() ? null : *found;
}

std::string text_at(const Json& json, const char* key) {
  const Json& value = at(json, key);
  if (!value.is_string()) return {};
  std::string text = value.get_ref<const std::string&>();
  if (text.size() > kLongestText) text = text.substr(0, kLongestText) + "…";
  return text;
}

std::uint32_t count_at(const Json& json, const char* key) {
  const Json& value = at(json, key);
  if (!value.is_number_unsigned()) return 0;
  const auto number = value.get<std::uint64_t>();
  return number > std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint32_t>(number);
}

}  // namespace capwright::remap
