// Looking for several texts at once, before anything dearer is asked of a text that has none of them.
#pragma once
#include <bitset>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

class Literals {
 public:
  // At least one byte each.
  explicit Literals(std::vector<std::string> literals);

  // Whether any of them stands in `text`.
  bool stand_in(std::string_view text) const;

 private:
  static constexpr unsigned kGramBits = 14;
  std::vector<std::string> short_, long_;  // less than a gram, or at least one
  std::bitset<1 << kGramBits> begins_;     // of long ones
};

}  // namespace capwright
