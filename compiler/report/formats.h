// Output formats for other programs: each has a function and a line in the table.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "report/finding.h"

namespace capwright::report {

// Each output ends with a line break, unless it is an empty list of lines. Code hosts look for files from the top of
// the Git working tree: `folder` is the repository's folder there, "" or "fleet/", and starts every path.
std::string as_sarif(std::span<const Finding>, std::string_view folder);  // SARIF 2.1.0 (OASIS), for code scanning
std::string as_github(std::span<const Finding>,
                      std::string_view folder);  // workflow commands of GitHub: annotations in a job's log
std::string as_gitlab(std::span<const Finding>, std::string_view folder);  // GitLab's Code Quality report
std::string as_junit(std::span<const Finding>,
                     std::string_view folder);  // JUnit XML: one failed case per finding, or one case that passed

// A check, or a cluster without errors and warnings: a test of its own in JUnit XML.
struct RunCase {
  std::string suite, name;
  std::string_view result;  // "passed", "skipped", "failed" or "error"
  std::string text;
};
// The same, after these cases.
std::string as_junit(std::span<const Finding>, std::string_view folder, std::span<const RunCase> cases);
std::string as_checkstyle(std::span<const Finding>, std::string_view folder);  // Checkstyle XML
std::string as_rdjson(std::span<const Finding>,
                      std::string_view folder);  // reviewdog's Diagnostic Format, one JSON document
std::string as_markdown(std::span<const Finding>,
                        std::string_view folder);  // a comment on a change: a table, errors first

struct ReportForm {
  std::string_view name;  // the value of `--format`
  std::string (*write)(std::span<const Finding>, std::string_view folder);
};

// All of the above, by name.
std::span<const ReportForm> report_forms();

// Escaping for all formats in XML 1.0.

inline constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// For text and double-quoted attributes. The text must be printable: XML doesn't allow control characters.
std::string xml_escaped(std::string_view text);

}  // namespace capwright::report
