// Matches the objects of two sides.
#pragma once
#include <vector>

#include "diff/change.h"

namespace capwright::diff {

// Pairs whose changes aren't determined yet: Changed means "the same object", Renamed "the same template under the name
// of another generation". In the order of ClusterDiff::pairs.
std::vector<ObjectPair> match_objects(const Side& before, const Side& after);

}  // namespace capwright::diff
