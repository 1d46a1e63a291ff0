// Cluster folders that were rendered once and that no values file makes any more.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "files/write.h"

namespace capwright {

// The folders of the tree with an index of ours whose name is not in `names`, in order.
std::vector<std::string> unclaimed_clusters(const OutputTree& tree, const std::set<std::string>& names);

// A warning for each of them.
void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink);

}  // namespace capwright
