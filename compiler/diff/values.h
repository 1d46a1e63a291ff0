// The changes that make one object the other, from the root of its value down.
#pragma once
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "crd/program.h"
#include "diff/change.h"

namespace capwright::diff {

// Templates that have another name now, by kind and old name.
struct Rename {
  std::string_view to;
  std::uint32_t pair = Change::kNone;  // in ClusterDiff::pairs
};
using Renames = std::map<std::pair<std::string_view, std::string_view>, Rename>;

// The sides that the objects of all pairs are in.
struct Sides {
  Side& before;
  Side& after;
  const Renames& renames;
};

// Fills in `pair.changes`; both objects are there. `schema` is the kind's, null when none is known.
void find_changes(ObjectPair& pair, const Sides& sides, const crd::Node* schema);

}  // namespace capwright::diff
