// One root cause, one finding: what another one says already, or leads to, is left out.
#pragma once
#include <functional>
#include <set>
#include <vector>

#include "lint/finding.h"
#include "lint/selection.h"

namespace capwright::lint {

// Whether a finding is told, and not taken back by a comment. One that isn't speaks for no other.
using Stands = std::function<bool(const Finding&)>;

// Takes out what the server says of a place, or below it, of which one of the rules in `saying_more` says more. That
// finding is then as severe; where its severity is set in `selection`, both stay.
void leave_out_repeated(std::vector<Finding>& findings, const std::set<const DiagInfo*>& saying_more,
                        const Selection& selection, const Stands& stands);

// Takes out what is said of a field that isn't there because its key is misspelt.
void leave_out_consequences(std::vector<Finding>& findings, const Stands& stands);

}  // namespace capwright::lint
