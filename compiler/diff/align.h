// Which item of one list is which of another, when nothing but their order and what they hold tells.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "value/value.h"

namespace capwright::diff {

// Neither number is kGone in both.
struct ItemPair {
  static constexpr std::uint32_t kGone = 0xffffffff;
  std::uint32_t before = kGone, after = kGone;  // kGone: there is none on that side
};

// Lists whose product of lengths is larger are not searched for a longest common part.
inline constexpr std::size_t kMostCells = 4'000'000;

// In an order that rises on both sides. Items that are equal are a longest common subsequence; of what stands between
// two of them, the first goes with the first, as long as both are maps, lists or scalars.
std::vector<ItemPair> align_items(std::span<const Value> before, std::span<const Value> after);

}  // namespace capwright::diff
