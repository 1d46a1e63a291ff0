// The parser throws; its messages are technical, but they give the position.
#include "remap/json_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace capwright::remap {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 100;
constexpr std::size_t kLongestText = 4000;             // bytes
constexpr std::ptrdiff_t kMostContainers = 5'000'000;  // an empty one is 3 bytes of text and 50 of memory

// Counts brackets outside of texts. The library's callback could count, too, but then each object costs time in
// proportion to those beside it.
bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool is_inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_inside && c == '\\') ++i;
    else if (c == '"') is_inside = !is_inside;
    else if (!is_inside && (c == '{' || c == '[') && ++depth > kDeepest) return true;
    else if (!is_inside && (c == '}' || c == ']')) --depth;
  }
  return false;
}

}  // namespace

std::optional<std::string> parse_report(std::string_view text, Json& json) {
  if (is_too_deep(text)) return fmt::format("it is nested more than {} deep", kDeepest);
  if (std::count_if(text.begin(), text.end(), [](char c) { return c == '{' || c == '['; }) > kMostContainers)
    return fmt::format("it has more than {} objects and lists", kMostContainers);
  try {
    json = Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    return fmt::format("it isn't JSON from byte {} on", error.byte);
  } catch (const Json::exception&) {
    return "it contains a number that is too large";
  }
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
