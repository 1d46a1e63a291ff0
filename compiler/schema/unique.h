// Finds equal items of a list without comparing all pairs.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "value/value.h"

namespace capwright::schema {

struct RepeatedItem {
  std::uint32_t first, second;  // numbers of the items, first < second
};

// The first item that equals an earlier one by JSON equality.
std::optional<RepeatedItem> find_repeated_item(std::span<const Value> items);

}  // namespace capwright::schema
