// Equal items of a list, found without comparing each with each.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "value/value.h"

namespace capwright::schema {

struct RepeatedItem {
  std::uint32_t first, second;  // numbers of the items, first < second
};

// The earliest item that equals one before it, as JSON compares.
std::optional<RepeatedItem> find_repeated_item(std::span<const Value> items);

}  // namespace capwright::schema
