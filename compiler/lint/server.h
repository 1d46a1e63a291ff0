// What the API server and the providers' webhooks would refuse, as findings of the family K.
#pragma once
#include <vector>

#include "crd/validate.h"
#include "lint/finding.h"

namespace capwright::lint {

// Judges one object as if it were created: one without `apiVersion` is refused as refuse_stray() does; nothing when no
// known release has its kind, or not in its version, which is a rule of its own (CAP231). `admission` may be null:
// without webhooks.
void ask_server(const Object&, const crd::Registry&, const crd::Admission*, std::vector<Finding>&);

// What is refused of a document that has no kind. Of files that nobody named only what is clearly meant as an object:
// other documents of YAML may lie beside manifests, such as values and descriptions of charts.
void refuse_stray(const Document&, const Cluster&, std::vector<Finding>&);

// Whether it is one of those.
bool is_of_server(const Finding&);

}  // namespace capwright::lint
