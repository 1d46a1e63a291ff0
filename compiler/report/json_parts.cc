// The same text for the same change, whether a diff or a plan shows it.
#include <nlohmann/json.hpp>

#include "report/json_values.h"

namespace capwright::report {

Json value_json(const diff::ShownValue& value, bool secret) {
  if (secret) return {{"secret", true}, {"bytes", value.size}};
  return Json::parse(value.json, nullptr, false);
}

void add_text(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

}  // namespace capwright::report
