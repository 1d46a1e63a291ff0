// Matches the items of two lists by their order and contents, when they have no keys.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "value/value.h"

namespace capwright::diff {

// At most one of the two numbers is kGone.
struct ItemPair {
  static constexpr std::uint32_t kGone = 0xffffffff;
  std::uint32_t before = kGone, after = kGone;  // kGone: missing on that side
};

// Lists with a larger product of lengths aren't searched for a longest common subsequence.
inline constexpr std::size_t kMostCells = 4'000'000;

// Ordered by position on both sides. Equal items form a longest common subsequence; items between two of them are
// paired in order, if both are maps, lists or scalars.
std::vector<ItemPair> align_items(std::span<const Value> before, std::span<const Value> after);

}  // namespace capwright::diff
