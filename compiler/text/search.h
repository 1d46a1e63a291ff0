// Looking for a text in a text in linear time, whatever the two are: std::string_view::find takes the product of their
// lengths on hostile ones.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace capwright {

// The first place at or after `from`; npos when there is none.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from = 0);

// The last place, again and again: each search ends before the one that was found before it.
class BackwardSearch {
 public:
  BackwardSearch(std::string_view text, std::string_view part);
  // The last place whose match ends at `end` or before; npos when there is none.
  std::size_t before(std::size_t end) const;

 private:
  std::string text_, part_;  // reversed
};

}  // namespace capwright
