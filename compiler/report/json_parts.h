// Pieces that the JSON documents of diffs and plans share.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "diff/record.h"

namespace capwright::report {

using Json = nlohmann::ordered_json;

// Of a secret: its length instead of its text.
Json value_json(const diff::ShownValue& value, bool secret);

// Adds nothing when the text is empty.
void add_text(Json& json, const char* key, const std::string& text);

}  // namespace capwright::report
