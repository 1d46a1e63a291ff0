// Translates ECMA-262 and Python's `re` to RE2: escapes, classes, groups and inline flags.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/regex.h"

namespace capwright::regex {

struct Translated {
  std::string pattern;                 // in RE2's syntax, UTF-8
  bool dollar_before_newline = false;  // Python's `$` outside of multiline mode occurs
};

// Empty if the pattern is malformed or needs a feature that RE2 lacks; then `fault` names it.
std::optional<Translated> translate(std::string_view pattern, const RegexOptions&, RegexFault& fault);

}  // namespace capwright::regex
