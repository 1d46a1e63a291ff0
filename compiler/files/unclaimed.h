// Cluster directories of earlier renders that no longer have a values file.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "files/write.h"

namespace capwright {

// The directories of the tree with a capwright index whose name isn't in `names`, in order.
std::vector<std::string> unclaimed_clusters(const OutputTree& tree, const std::set<std::string>& names);

// Reports a warning for each of them.
void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink);

}  // namespace capwright
