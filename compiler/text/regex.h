// Regular expressions with matching time linear in the text, whatever the pattern (RE2 does the work). Patterns are
// written in the dialect of JSON Schema, of Python or of Go; what RE2 can't express is refused and named.
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
  Ecma262,  // ECMA-262 with the flag `u`, as JSON Schema has it: `\d` and `\w` are ASCII, `$` is the end of the text
  Python,   // Python's `re` on str: `\d`, `\w` and `\s` are Unicode, `$` also stands before a final line break
  Re2,      // RE2's own, which is Go's: what the API server reads in CRDs and in CEL
};

struct RegexOptions {
  RegexDialect dialect = RegexDialect::Ecma262;
  bool ignore_case = false;
  bool multiline = false;  // `^` and `$` also at line breaks
  bool dot_all = false;    // `.` is also a line break
};

// Why a pattern was refused: "a lookahead `(?=` is not supported", "the group is never closed".
struct RegexFault {
  std::string message;
  std::uint32_t offset = 0;  // byte in the pattern
  bool unsupported = false;  // the pattern is well-formed in its dialect, but can't be matched in linear time
};

// What a group matched, as bytes of the text.
struct RegexGroup {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t begin = kNone;
  std::size_t end = kNone;

  bool took_part() const { return begin != kNone; }
  std::string_view in(std::string_view text) const { return took_part() ? text.substr(begin, end - begin) : ""; }
};
using RegexMatch = std::vector<RegexGroup>;  // [0] is the whole match, then the groups in the order of their `(`

enum class RegexAnchor : std::uint8_t { None, Start, Both };  // re.search, re.match, re.fullmatch

// An immutable compiled pattern; copies share it, and threads may match with it at the same time.
class Regex {
 public:
  // Nothing when the pattern is refused; then `fault` says why.
  static std::optional<Regex> compile(std::string_view pattern, const RegexOptions&, RegexFault& fault);

  // Whether the pattern is somewhere in the text (or at its start, or all of it). Invalid UTF-8 never matches.
  bool matches(std::string_view text, RegexAnchor anchor = RegexAnchor::None) const;
  // The leftmost match that starts at byte `from` or later. `^` and `\b` still see what is before `from`.
  std::optional<RegexMatch> find(std::string_view text, std::size_t from = 0,
                                 RegexAnchor anchor = RegexAnchor::None) const;
  // All matches that don't overlap, from left to right; empty ones too, as re.finditer has them.
  std::vector<RegexMatch> find_all(std::string_view text) const;

  std::size_t group_count() const;  // without group 0
  // Named groups and their numbers, by number.
  const std::vector<std::pair<std::string, std::size_t>>& group_names() const;

 private:
  struct Program;
  explicit Regex(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace capwright
