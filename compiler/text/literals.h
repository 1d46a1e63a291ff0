// Searches for several literals at once. A cheap filter before a more expensive check of the text.
#pragma once
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "base/grams.h"

namespace capwright {

class Literals {
 public:
  // Each literal has at least one byte.
  explicit Literals(std::vector<std::string> literals);

  // Whether any of them occurs in `text`.
  bool stand_in(std::string_view text) const;

 private:
  struct Marked {
    std::string text;
    std::size_t mark;  // the offset of its rarest kGram bytes
  };
  bool has_mark_at(std::string_view text, std::size_t mark) const;

  static constexpr unsigned kGramBits = 14;
  std::vector<std::string> short_;  // shorter than a mark
  std::vector<Marked> long_;
  std::bitset<1 << kGramBits> marks_;
  std::bitset<1 << 16> pairs_;  // of adjacent bytes in a mark
};

}  // namespace capwright
