// Checks the raw bytes before any parser reads them: encodings and characters that YAML and JSON forbid, and shapes
// that the YAML library can't handle (it ends silently at a NUL, hangs on some directives and needs 230 bytes a
// bracket).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "yaml/reading.h"

namespace capwright::yaml {

// Checks size, encoding and characters. Returns the offset where parsers must start, which is after a byte order mark.
// Reports an error and returns npos if the text must not be parsed.
inline constexpr std::uint32_t kUnreadable = 0xffffffffu;
std::uint32_t check_bytes(Reading&);

// Checks directives and the nesting and size of bracketed collections, for YAML only. Reports and returns false.
bool check_shape(Reading&);

// A rough scan of YAML text that recognizes only comments, quotes, block scalars and brackets. It bounds the work of
// the YAML library, and finds the bracket that causes a syntax error.

struct Outline {
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  std::uint32_t too_deep_at = kNowhere;  // the first bracket beyond the depth limit
  std::uint32_t too_long_at = kNowhere;  // the first bracket whose collection is too long
  std::vector<std::uint32_t> open;       // brackets that are still open at the end of the text, outermost first
  std::uint32_t last_quote = kNowhere;   // where the last quoted text opens
};

Outline outline_brackets(std::string_view text, std::uint32_t most_depth, std::uint32_t most_bytes);

}  // namespace capwright::yaml
