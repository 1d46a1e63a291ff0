// Cases of admission: a block `changes` holds changes to `manifest.yaml`, one a line, each followed by what is refused.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

//   create {spec.size: 3}                       the manifest with that change is created; null removes a field
//     accepted
//   update {spec.size: 3} -> {spec.size: 2}     the one is stored, the other is applied; `{} ->` may be left out
//     spec.size: Invalid value: 2: field is immutable
// Keys are paths: `spec.ports[0].name`, `metadata.labels[a/b]`. Kinds and rules are the built-in ones, and nothing else
// is stored. A finding of another step than the webhooks' has its step before it: `[schema] …`.
std::vector<Mismatch> run_changes(const Case&);

}  // namespace capwright::spec
