// The forms in which findings leave for other programs: a function and a line in the table each.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "report/finding.h"

namespace capwright::report {

// Each ends with a line break, unless it is a list of lines and there are none.
std::string as_sarif(std::span<const Finding>);       // SARIF 2.1.0 (OASIS), as code scanning takes it
std::string as_github(std::span<const Finding>);      // commands of GitHub's workflows: annotations in a job's log
std::string as_gitlab(std::span<const Finding>);      // GitLab's Code Quality report
std::string as_junit(std::span<const Finding>);       // JUnit XML: a failed case a finding, or one case that passed
std::string as_checkstyle(std::span<const Finding>);  // Checkstyle XML
std::string as_rdjson(std::span<const Finding>);      // reviewdog's Diagnostic Format, one JSON document
std::string as_markdown(std::span<const Finding>);    // a comment on a change: a table, errors first

struct ReportForm {
  std::string_view name;  // as `--format` takes it
  std::string (*write)(std::span<const Finding>);
};

// All of the above, by name.
std::span<const ReportForm> report_forms();

}  // namespace capwright::report
