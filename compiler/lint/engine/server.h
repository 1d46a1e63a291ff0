// Reports what the API server and the providers' webhooks would reject, as findings of the family K.
#pragma once
#include <vector>

#include "crd/validate.h"
#include "lint/engine/lint_finding.h"

namespace capwright::lint {

// Checks one object as if it were created. An object without `apiVersion` is reported as by refuse_stray(). Unknown
// kinds and versions are ignored here: the rule CAP231 reports them. `admission` may be null: no webhooks.
void ask_server(const Object&, const crd::Registry&, const crd::Admission*, std::vector<Finding>&);

// Reports a document without a kind. In files that the user didn't name, only if it clearly is meant as an object:
// values or chart metadata may lie beside manifests.
void refuse_stray(const Document&, const Cluster&, std::vector<Finding>&);

// Whether a finding is one of these.
bool is_of_server(const Finding&);

}  // namespace capwright::lint
