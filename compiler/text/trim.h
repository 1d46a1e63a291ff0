// Removes blanks around a text.
#pragma once
#include <algorithm>
#include <string_view>

namespace capwright {

// A view into `text`; empty if it has nothing but `blanks`.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace capwright
