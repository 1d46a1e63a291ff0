// Decodes the text between a string's quotes: Python's escapes.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace capwright::jinja {

struct StringLiteral {
  std::string text;
  // The error in the first invalid escape, with its range in the raw text; empty if there is none.
  std::string fault;
  std::size_t fault_begin = 0;
  std::size_t fault_end = 0;
};

// `raw` is the text between the quotes, with normalized line breaks.
StringLiteral unescape(std::string_view raw, std::string_view newline_sequence);

}  // namespace capwright::jinja
