// Checks suppression comments: reports unused and expired ones, and those without a reason.
#pragma once
#include <string>
#include <vector>

#include "lint/engine/linter.h"

namespace capwright::lint {

// The findings about a cluster's comments, as far as one cluster can determine them. Call it after linting the cluster.
// A comment in a layer or template belongs to all clusters: it is unused if none of them uses it.
ClusterClaims claims_of_comments(const Linter& linter, const Cluster& cluster);

// The claims about a comment that no longer hold when it suppresses `info`: that it, or a part of it, is unused.
std::vector<std::string> used_by(const DiagInfo& info, const Suppression& comment, const SourceSet& sources);

}  // namespace capwright::lint
