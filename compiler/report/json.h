// Diagnostics for programs: `-f json`, one document per run. docs/reports.md describes it; `version` changes when the
// format changes.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/finding.h"

namespace capwright::report {

// {"version": 1, "findings": [{code, name, severity, message, path, start, end, labels, trace, notes, help, subject,
// repeats, others, clusters}]} with {line, column} places that start at 1 and columns in code points. Ends with a line
// break.
std::string as_json(std::span<const Finding> findings);
// One of them, for other documents.
nlohmann::ordered_json finding_json(const Finding& finding);

// The number of findings of a rule.
struct CodeCount {
  std::string_view code;
  std::string name;
  std::size_t count = 0;
};
// {"version": 1, "statistics": [{code, name, count}]}
std::string as_json(const std::vector<CodeCount>& rows);

}  // namespace capwright::report
