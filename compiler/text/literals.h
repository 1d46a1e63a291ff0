// Looking for several texts at once, before anything dearer is asked of a text that has none of them.
#pragma once
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "base/grams.h"

namespace capwright {

class Literals {
 public:
  // At least one byte each.
  explicit Literals(std::vector<std::string> literals);

  // Whether any of them stands in `text`.
  bool stand_in(std::string_view text) const;

 private:
  struct Marked {
    std::string text;
    std::size_t mark;  // where its rarest kGram bytes begin
  };
  bool has_mark_at(std::string_view text, std::size_t mark) const;

  static constexpr unsigned kGramBits = 14;
  std::vector<std::string> short_;  // less than a mark
  std::vector<Marked> long_;
  std::bitset<1 << kGramBits> marks_;
  std::bitset<1 << 16> pairs_;  // of two bytes that stand side by side in a mark
};

}  // namespace capwright
