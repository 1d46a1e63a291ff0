// What the text between a string's quotes means: Python's escapes.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace capwright::jinja {

struct StringLiteral {
  std::string text;
  // The first escape that means nothing, as a range of the raw text, and what would be right; empty: all is well.
  std::string fault;
  std::size_t fault_begin = 0;
  std::size_t fault_end = 0;
};

// `raw` is what stands between the quotes, with normalised line breaks.
StringLiteral unescape(std::string_view raw, std::string_view newline_sequence);

}  // namespace capwright::jinja
