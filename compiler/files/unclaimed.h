// Cluster folders that were rendered once and that no values file makes any more.
#pragma once
#include <set>
#include <string>

#include "files/write.h"

namespace capwright {

// A warning for each folder of the tree with an index of ours whose name is not in `names`, in the order of names.
void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink);

}  // namespace capwright
