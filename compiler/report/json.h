// Diagnostics for programs: `-f json`, one document a run. docs/formats.md describes it; `version` changes with its
// shape.
#pragma once
#include <span>
#include <string>

#include "report/finding.h"

namespace capwright::report {

// {"version": 1, "findings": [{code, name, severity, message, path, start, end, labels, trace, notes, help, subject,
// repeats, clusters}]} with {line, column} places that start at 1 and columns in code points. Ends with a line break.
std::string as_json(std::span<const Finding> findings);

}  // namespace capwright::report
