// The operators of substitutions, on bytes. As in the library, an operator never fails on its arguments: a number that
// isn't one, or a malformed pattern, leaves the value as it is.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace capwright::envsubst {

enum class Problem : std::uint8_t {
  None,
  BadSlice,     // `${NAME:5:-3}`: the library panics
  TooLong,      // the result has more than Work::string_bytes
  TooManySteps  // Work::steps is used up
};

// The work that operators may do.
struct Work {
  std::uint64_t steps;
  std::uint32_t string_bytes;

  bool step(std::uint64_t count) {
    if (count > steps) return false;
    steps -= count;
    return true;
  }
};

// `name` is one that applies to the value, such as `^^` or `//`; not a default.
Problem apply(std::string_view name, std::string_view value, std::span<const std::string> arguments, Work& work,
              std::string& result);

enum class Match : std::uint8_t { No, Yes, BadPattern };

// Whether all of `text` matches a shell pattern: `*`, `?`, `[a-z]`, `[^a]`, `\x`. Unlike in a shell, a `*` takes the
// shortest text after which the next part of the pattern matches, and isn't tried again.
Match match_pattern(std::string_view pattern, std::string_view text);

}  // namespace capwright::envsubst
