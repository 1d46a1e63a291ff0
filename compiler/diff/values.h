// The changes from one object to the other, from the root of its value down.
#pragma once
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "crd/program.h"
#include "diff/change.h"

namespace capwright::diff {

// Renamed templates, by kind and old name.
struct Rename {
  std::string_view to;
  std::uint32_t pair = Change::kNone;  // index in ClusterDiff::pairs
};
using Renames = std::map<std::pair<std::string_view, std::string_view>, Rename>;

// The sides of the objects in all pairs.
struct Sides {
  Side& before;
  Side& after;
  const Renames& renames;
};

// Fills in `pair.changes`; both objects must exist. `schema` is the kind's, null if unknown.
void find_changes(ObjectPair& pair, const Sides& sides, const crd::Node* schema);

}  // namespace capwright::diff
