// One finding per root cause: removes findings that repeat another one or follow from it.
#pragma once
#include <functional>
#include <set>
#include <vector>

#include "lint/engine/lint_finding.h"
#include "lint/engine/selection.h"

namespace capwright::lint {

// Whether a finding is reported and not suppressed. Otherwise it can't replace other findings.
using IsReported = std::function<bool(const Finding&)>;

// Removes findings of the server about a place, or a place below it, where a rule in `saying_more` reports more. The
// rule's finding gets the server's severity. If its severity is configured in `selection`, both stay.
void leave_out_repeated(std::vector<Finding>& findings, const std::set<const DiagInfo*>& saying_more,
                        const Selection& selection, const IsReported& is_reported);

// Removes findings about a missing field whose key is misspelt.
void leave_out_consequences(std::vector<Finding>& findings, const IsReported& is_reported);

}  // namespace capwright::lint
