// Cases of admission: a block `changes` has changes to `manifest.yaml`, one per line, each followed by its errors.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

//   create {spec.size: 3}                       creates the manifest with that change; null removes a field
//     accepted
//   update {spec.size: 3} -> {spec.size: 2}     the first is stored, the second is applied; `{} ->` is optional
//     spec.size: Invalid value: 2: field is immutable
// Keys are paths: `spec.ports[0].name`, `metadata.labels[a/b]`. Kinds and rules are the built-in ones, and no other
// objects are stored; a block `feature-gates` has gates, one per line: `Name`, or `Name=false`. A finding of a step
// other than the webhooks starts with its step: `[schema] …`.
std::vector<Mismatch> run_changes(const Case&);

}  // namespace capwright::spec
