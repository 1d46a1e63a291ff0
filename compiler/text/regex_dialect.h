// Translates ECMA-262 and Python's `re` to RE2: escapes, classes, groups and inline flags.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/regex.h"

namespace capwright::regex {

constexpr char32_t kLargestCodePoint = 0x10FFFF;

struct Translated {
  std::string pattern;                 // in RE2's syntax, UTF-8
  bool dollar_before_newline = false;  // Python's `$` outside of multiline mode occurs
};

// Empty if the pattern is malformed or needs a feature that RE2 lacks; then `fault` names it.
std::optional<Translated> translate(std::string_view pattern, const RegexOptions&, RegexFault& fault);

// A letter of `\d`, `\D`, `\w`, `\W`, `\s` and `\S`.
bool is_set_letter(char);
// The inside of an RE2 class that equals the set of this letter; `ascii` is Python's re.ASCII.
std::string_view class_of(char letter, RegexDialect, bool ascii);
// RE2's name for a general category of ECMA-262, such as `Lu` for `Uppercase_Letter`; other names are returned
// unchanged.
std::string_view category_of(std::string_view name);

}  // namespace capwright::regex
