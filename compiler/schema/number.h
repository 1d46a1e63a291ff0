// Numbers as JSON Schema compares them: by value, whether written `1`, `1.0` or `1e0`.
#pragma once
#include <compare>

#include "value/value.h"

namespace capwright::schema {

// Both are Int or Float. Exact also where an Int has more digits than a Float can hold.
std::partial_ordering compare_numbers(const Value& a, const Value& b);

// No fraction: the type `integer`.
bool is_whole(const Value& number);

// Whether `number` is a multiple of `unit` (> 0), in decimal: 0.3 is one of 0.1.
bool is_multiple(const Value& number, const Value& unit);

}  // namespace capwright::schema
