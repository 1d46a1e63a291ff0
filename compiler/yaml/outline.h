// A rough scan of YAML text that recognizes only comments, quotes, block scalars and brackets. It bounds the work of
// the YAML library, and finds the bracket that causes a syntax error.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace capwright::yaml {

struct Outline {
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  std::uint32_t too_deep_at = kNowhere;  // the first bracket beyond the depth limit
  std::uint32_t too_long_at = kNowhere;  // the first bracket whose collection is too long
  std::vector<std::uint32_t> open;       // brackets that are still open at the end of the text, outermost first
  std::uint32_t last_quote = kNowhere;   // where the last quoted text opens
};

Outline outline_brackets(std::string_view text, std::uint32_t most_depth, std::uint32_t most_bytes);

}  // namespace capwright::yaml
