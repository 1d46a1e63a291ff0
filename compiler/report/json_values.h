// Values in JSON documents.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "diff/record.h"
#include "value/value.h"

namespace capwright::report {

using Json = nlohmann::ordered_json;

// Of a secret: its length instead of its text.
Json value_json(const diff::ShownValue& value, bool secret);

// Adds nothing when the text is empty.
void add_text(Json& json, const char* key, const std::string& text);

// Values and schemas for people: indented, keys in order, secrets redacted. Ends with a line break.
std::string as_pretty_json(const Value& value);

}  // namespace capwright::report
