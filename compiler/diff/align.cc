// Sets equal ends aside, and aligns the middle with a table of lengths.
#include "diff/align.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "yaml/write.h"

namespace capwright::diff {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Equal items get equal numbers.
class Numbering {
 public:
  Numbers of(std::span<const Value> items) {
    Numbers numbers;
    for (const Value& item : items) {
      const auto next = static_cast<std::uint32_t>(known_.size());
      numbers.push_back(known_.try_emplace(canonical_json(item), next).first->second);
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
};

bool are_alike(const Value& a, const Value& b) {
  const auto is_scalar = [](const Value& value) { return !value.is(Kind::Map) && !value.is(Kind::List); };
  return a.kind() == b.kind() || (is_scalar(a) && is_scalar(b));
}

class Aligner {
 public:
  Aligner(std::span<const Value> before, std::span<const Value> after) : before_(before), after_(after) {
    Numbering numbering;
    old_ = numbering.of(before);
    new_ = numbering.of(after);
  }

  std::vector<ItemPair> align() {
    const auto size = static_cast<std::uint32_t>(std::min(old_.size(), new_.size()));
    std::uint32_t head = 0, tail = 0;
    while (head < size && old_[head] == new_[head]) pairs_.push_back({head, head}), ++head;
    while (tail < size - head && old_[old_.size() - 1 - tail] == new_[new_.size() - 1 - tail]) ++tail;
    const auto old_end = static_cast<std::uint32_t>(old_.size()) - tail;
    const auto new_end = static_cast<std::uint32_t>(new_.size()) - tail;
    align_middle(head, old_end, new_end);
    for (std::uint32_t i = 0; i < tail; ++i) pairs_.push_back({old_end + i, new_end + i});
    return std::move(pairs_);
  }

 private:
  // Aligns the items from `head` on.
  void align_middle(std::uint32_t head, std::uint32_t old_end, std::uint32_t new_end) {
    const std::size_t rows = old_end - head, columns = new_end - head;
    if (rows * columns > kMostCells) return pair_gap(head, old_end, head, new_end);
    // lengths[i][j]: the length of the longest common subsequence of old from head + i and new from head + j on.
    std::vector<std::uint32_t> lengths((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return lengths[i * (columns + 1) + j]; };
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        const bool equal = old_[head + i] == new_[head + j];
        at(i, j) = equal ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
    std::uint32_t i = 0, j = 0, old_gap = head, new_gap = head;
    while (i < rows && j < columns) {
      if (old_[head + i] == new_[head + j]) {
        pair_gap(old_gap, head + i, new_gap, head + j);
        pairs_.push_back({head + i, head + j});
        ++i, ++j;
        old_gap = head + i, new_gap = head + j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
    pair_gap(old_gap, old_end, new_gap, new_end);
  }

  void pair_gap(std::uint32_t old_begin, std::uint32_t old_end, std::uint32_t new_begin, std::uint32_t new_end) {
    while (old_begin < old_end && new_begin < new_end && are_alike(before_[old_begin], after_[new_begin]))
      pairs_.push_back({old_begin++, new_begin++});
    while (old_begin < old_end) pairs_.push_back({old_begin++, ItemPair::kGone});
    while (new_begin < new_end) pairs_.push_back({ItemPair::kGone, new_begin++});
  }

  std::span<const Value> before_, after_;
  Numbers old_, new_;
  std::vector<ItemPair> pairs_;
};

}  // namespace

std::vector<ItemPair> align_items(std::span<const Value> before, std::span<const Value> after) {
  return Aligner(before, after).align();
}

}  // namespace capwright::diff
