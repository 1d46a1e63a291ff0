// Regular expressions with matching time linear in the text for every pattern (by RE2). Patterns are in the dialect of
// JSON Schema, Python or Go; a construct that RE2 can't express is rejected by name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capwright {

enum class RegexDialect : std::uint8_t {
  Ecma262,  // ECMA-262 with flag `u`, as in JSON Schema: `\d` and `\w` are ASCII, `$` is the end of the text
  Python,   // Python's `re` on str: `\d`, `\w` and `\s` are Unicode, `$` also matches before a final line break
  Re2,      // RE2's own, which is Go's: for CRDs and CEL, as the API server does
};

struct RegexOptions {
  RegexDialect dialect = RegexDialect::Ecma262;
  bool ignore_case = false;
  bool multiline = false;  // `^` and `$` also match at line breaks
  bool dot_all = false;    // `.` also matches a line break
};

// Why a pattern was rejected: "a lookahead `(?=` is not supported", "the group is never closed".
struct RegexFault {
  std::string message;
  std::uint32_t offset = 0;  // byte in the pattern
  bool unsupported = false;  // the pattern is well-formed in its dialect, but can't be matched in linear time
};

// The bytes of the text that a group matched.
struct RegexGroup {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t begin = kNone;
  std::size_t end = kNone;

  bool took_part() const { return begin != kNone; }
  std::string_view in(std::string_view text) const { return took_part() ? text.substr(begin, end - begin) : ""; }
};
using RegexMatch = std::vector<RegexGroup>;  // [0] is the whole match, then the groups in the order of their `(`

enum class RegexAnchor : std::uint8_t { None, Start, Both };  // re.search, re.match, re.fullmatch

// An immutable compiled pattern; copies share it, and threads may match with it concurrently.
class Regex {
 public:
  // Empty if the pattern is rejected; then `fault` says why.
  static std::optional<Regex> compile(std::string_view pattern, const RegexOptions&, RegexFault& fault);
  // A pattern that must be valid, such as one of the program's own files. Compiled at its first use: that takes about
  // 150,000 instructions, and most runs match few of these patterns.
  static Regex deferred(std::string_view pattern, const RegexOptions&);

  // Whether the pattern matches anywhere in the text (or at its start, or all of it). Invalid UTF-8 never matches.
  bool matches(std::string_view text, RegexAnchor anchor = RegexAnchor::None) const;
  // The leftmost match that starts at byte `from` or later. `^` and `\b` see the text before `from`.
  std::optional<RegexMatch> find(std::string_view text, std::size_t from = 0,
                                 RegexAnchor anchor = RegexAnchor::None) const;
  // All matches that don't overlap, from left to right, including empty ones, as re.finditer returns them.
  std::vector<RegexMatch> find_all(std::string_view text) const;

  // Instructions of the compiled program: compiling took time in proportion to them.
  std::size_t size() const;
  std::size_t group_count() const;  // without group 0
  // Named groups and their numbers, by number.
  const std::vector<std::pair<std::string, std::size_t>>& group_names() const;

 private:
  struct Program;
  struct Shared;
  explicit Regex(std::shared_ptr<const Shared> shared) : shared_(std::move(shared)) {}
  const Program& program() const;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace capwright
