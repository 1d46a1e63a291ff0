// Cases about verdicts on manifests. Files: `manifest.yaml`, and if it updates something `old.yaml`. The kinds are
// those of `crds.yaml`; or the one kind Thing of example.com/v1, the schema of whose `spec` is `spec.yaml`; or the
// built-in ones. Kinds of the server's own are always known. Expectations: `verdict` (the outcome and a line a
// finding), `object` (what would be stored, as JSON), `digests` (what the CRDs become), `errors`.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

bool is_manifest_case(const Case& test);
std::vector<Mismatch> run_manifest_case(const Case& test);

}  // namespace capwright::spec
