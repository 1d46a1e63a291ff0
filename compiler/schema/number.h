// Numbers as JSON Schema compares them: by value, so that `1`, `1.0` and `1e0` are equal.
#pragma once
#include <compare>

#include "value/value.h"

namespace capwright::schema {

// Both are Int or Float. Exact also if an Int has more digits than a Float can represent.
std::partial_ordering compare_numbers(const Value& a, const Value& b);

// Whether the number has no fraction: the type `integer`.
bool is_whole(const Value& number);

// Whether `number` is a multiple of `unit` (> 0), in decimal: 0.3 is a multiple of 0.1.
bool is_multiple(const Value& number, const Value& unit);

}  // namespace capwright::schema
