// A rough walk over YAML text that knows comments, quotes, block scalars and brackets, and nothing else. It bounds what
// the YAML library is asked to do, and finds the bracket that a syntax error is really about.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace capwright::yaml {

struct Outline {
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  std::uint32_t too_deep_at = kNowhere;  // the bracket that goes past the depth
  std::uint32_t too_long_at = kNowhere;  // the bracket whose collection is longer than allowed
  std::vector<std::uint32_t> open;       // brackets that are open at the end of the text, outermost first
  std::uint32_t last_quote = kNowhere;   // where the last quoted text opens
};

Outline outline_brackets(std::string_view text, std::uint32_t most_depth, std::uint32_t most_bytes);

}  // namespace capwright::yaml
