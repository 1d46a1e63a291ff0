// Places of findings as other programs count them: each format has its own unit for columns.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "report/finding.h"

namespace capwright::report {

enum class ColumnUnit : std::uint8_t { CodePoints, Utf8, Utf16 };

// Lines and columns start at 1; `end` is behind the last character.
struct Region {
  std::string_view path;  // relative to the repository
  LineCol start;
  LineCol end;
};

// Nothing where a finding is about no file of the repository: about an option such as `--set`, a built-in template, or
// no text at all.
std::optional<Region> region_of(Span, const SourceSet&, ColumnUnit);
// Where a platform can show the finding: its place, else the first of its other places that is in the repository, such
// as the value that a built-in template took or the line that it rendered. Nothing for a finding of another revision.
std::optional<Region> region_of(const Finding&, ColumnUnit);

// The message for formats that have room for one text: with its place where region_of() has none, its notes, the
// clusters that have it and its help, a line each.
std::string whole_message(const Finding&);

// The same for whoever says the place and the code beside it: one line.
std::string one_line(const Finding&);

// "undefined-variable" of a diagnostic.
std::string rule_name(const DiagInfo&);

// Knows a finding again when lines above it have changed: of its code, path, message and, where these are equal, its
// number among the equal ones. 32 hexadecimal digits.
class Fingerprints {
 public:
  std::string next(const Finding&);

 private:
  std::map<std::string, std::size_t> seen_;
};

}  // namespace capwright::report
