// Substring search in linear time for all inputs: std::string_view::find takes time proportional to the product of both
// lengths on hostile ones.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace capwright {

// The first occurrence at or after `from`; npos if there is none.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from = 0);

// Repeated searches from the end: each one ends before the previous match.
class BackwardSearch {
 public:
  BackwardSearch(std::string_view text, std::string_view part);
  // The last match that ends at `end` or before; npos if there is none.
  std::size_t before(std::size_t end) const;

 private:
  std::string text_, part_;  // reversed
};

}  // namespace capwright
