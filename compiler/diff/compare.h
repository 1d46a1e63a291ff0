// Compares two sides of a cluster, object by object.
#pragma once
#include "crd/registry.h"
#include "diff/change.h"

namespace capwright::diff {

struct CompareOptions {
  const crd::Registry* registry = nullptr;  // tells the keys of lists; null: only the catalogue of fields does
  std::vector<PathPattern> ignore;
  bool keeps_records = true;  // FleetResult::clusters are wanted; who looks at each comparison spares them
};

// The files that differ are read; then objects are matched by group, kind, namespace and name, and templates with a
// digest in their names by what is before it. Null: the cluster isn't there on that side. The result points into both.
ClusterDiff compare(Side* before, Side* after, const CompareOptions& options);

}  // namespace capwright::diff
