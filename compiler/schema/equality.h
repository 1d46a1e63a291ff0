// Equality as JSON Schema defines it: numbers are compared by value, so that `1`, `1.0` and `1e0` are equal.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <span>

#include "value/value.h"

namespace capwright::schema {

// Both are Int or Float. Exact also if an Int has more digits than a Float can represent.
std::partial_ordering compare_numbers(const Value& a, const Value& b);

// Whether the number has no fraction: the type `integer`.
bool is_whole(const Value& number);

// Whether `number` is a multiple of `unit` (> 0), in decimal: 0.3 is a multiple of 0.1.
bool is_multiple(const Value& number, const Value& unit);

// Finds equal items of a list without comparing all pairs.

struct RepeatedItem {
  std::uint32_t first, second;  // numbers of the items, first < second
};

// The first item that equals an earlier one by JSON equality.
std::optional<RepeatedItem> find_repeated_item(std::span<const Value> items);

}  // namespace capwright::schema
