// Places of findings for other programs: each format has its own unit for columns.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "report/finding.h"

namespace capwright::report {

enum class ColumnUnit : std::uint8_t { CodePoints, Utf8, Utf16 };

// Lines and columns start at 1; `end` is after the last character.
struct Region {
  std::string path;
  LineCol start;
  LineCol end;
};

// Empty if the finding isn't in a file of the repository: for an option such as `--set`, a built-in template, or no
// text at all. `folder` is put before paths: that of the repository in its Git working tree, "" or "fleet/".
std::optional<Region> region_of(Span, const SourceSet&, ColumnUnit, std::string_view folder = {});
// Where a platform can show the finding: its place, or the first of its other places in the repository, such as the
// value that a built-in template used or the rendered line. Empty for a finding of another revision.
std::optional<Region> region_of(const Finding&, ColumnUnit, std::string_view folder = {});

// The message for formats with room for one text: with its place if region_of() is empty, its notes, its clusters and
// its help, one per line.
std::string whole_message(const Finding&);

// The same on one line, for formats that show the place and the code separately.
std::string one_line(const Finding&);

// The name of a diagnostic: "undefined-variable".
std::string rule_name(const DiagInfo&);

// Identifies a finding independent of changes above its line: a hash of code, path and message, and a number among
// equal ones. 32 hexadecimal digits.
class Fingerprints {
 public:
  std::string next(const Finding&);

 private:
  std::map<std::string, std::size_t> seen_;
};

}  // namespace capwright::report
