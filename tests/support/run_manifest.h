// Cases about verdicts on manifests. Files: `manifest.yaml`, and `old.yaml` for an update. The kinds are those of
// `crds.yaml`; or the single kind Thing of example.com/v1, with `spec.yaml` as the schema of its `spec`; or the
// built-in ones. The server's own kinds are always known. Expectations: `verdict` (the result and one line per
// finding), `object` (as it would be stored, in JSON), `digests` (of the CRDs), `errors`.
#pragma once
#include <vector>

#include "support/run_case.h"

namespace capwright::spec {

bool is_manifest_case(const Case& test);
std::vector<Mismatch> run_manifest_case(const Case& test);

}  // namespace capwright::spec
