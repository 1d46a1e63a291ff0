// Phrases for values, types and expectations in messages.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "schema/program.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::schema {

// "a string", "an integer", "a list", "null": the type of `value`, without its content.
std::string a_kind(const Value& value);

// "the string `three`", "the number `1.30`" (as written), "an empty list", "a map". Secrets are redacted.
std::string shown(const Value& value, bool secret, const Stage& stage);

// A scalar in backticks, shortened: "`prod-a`", "`3`", "`true`". Lists and maps as JSON.
std::string quoted(const Value& value);

// "a string or an integer".
std::string type_words(TypeSet types);

// "`a`, `b` or `c`": the values of an `enum` or `const`.
std::string choices(std::span<const Value> candidates);

// Describes a valid value of `node`: its x-expected, its candidates, or its types and bounds. Follows references; empty
// if the schema sets none of these.
std::string expectation(const Node& node);

}  // namespace capwright::schema
