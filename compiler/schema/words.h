// The words in which messages speak of values, types and expectations.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "schema/program.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::schema {

// "a string", "an integer", "a list", "null": what `value` is, without showing it.
std::string a_kind(const Value& value);

// "the string `three`", "the number `1.30`" (as it is written), "an empty list", "a map". A secret is not shown.
std::string shown(const Value& value, bool secret, const Stage& stage);

// A scalar in backticks, shortened: "`prod-a`", "`3`", "`true`". Lists and maps as in JSON.
std::string quoted(const Value& value);

// "a string or an integer".
std::string type_words(TypeSet types);

// "`a`, `b` or `c`": the values of an `enum` or `const`.
std::string choices(std::span<const Value> candidates);

// What a good value of `node` is: its x-expected, its candidates, or the types and bounds that it asks for.
// References are followed; empty when nothing is said.
std::string expectation(const Node& node);

}  // namespace capwright::schema
