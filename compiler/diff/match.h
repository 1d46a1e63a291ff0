// Which object of one side is which of the other.
#pragma once
#include <vector>

#include "diff/change.h"

namespace capwright::diff {

// Pairs without changes yet, whether they differ or not: Changed is "the same object", Renamed "the same template under
// the name of another generation". In the order of ClusterDiff::pairs.
std::vector<ObjectPair> match_objects(const Side& before, const Side& after);

}  // namespace capwright::diff
