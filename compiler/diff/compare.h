// Compares two sides of a cluster, object by object.
#pragma once
#include <vector>

#include "crd/registry.h"
#include "diff/change.h"
#include "pipeline/parallel.h"

namespace capwright::diff {

struct CompareOptions {
  const crd::Registry* registry = nullptr;  // has the keys of lists; null: only the catalogue of fields does
  std::vector<PathPattern> ignore;
  bool keeps_records = true;  // fill FleetResult::clusters; callers that only visit each comparison don't need it
  Progress* progress = nullptr;
};

// Parses the files that differ, then matches objects by group, kind, namespace and name, and templates with a digest in
// their names by the part before it. Null: the cluster doesn't exist on that side. The result points into both sides.
ClusterDiff compare(Side* before, Side* after, const CompareOptions& options);

// Matches the objects of two sides.

// Pairs whose changes aren't determined yet: Changed means "the same object", Renamed "the same template under the name
// of another generation". In the order of ClusterDiff::pairs.
std::vector<ObjectPair> match_objects(const Side& before, const Side& after);

}  // namespace capwright::diff
