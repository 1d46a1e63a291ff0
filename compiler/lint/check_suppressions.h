// Comments that take findings back are looked at themselves: unused ones, and those without reason or out of date.
#pragma once
#include <string>
#include <vector>

#include "lint/linter.h"

namespace capwright::lint {

// What is wrong with a cluster's comments, as far as it knows. To be called when it has been linted. A comment in a
// layer or a template is one for all clusters: it is unused when none of them uses it.
ClusterClaims claims_of_comments(const Linter& linter, const Cluster& cluster);

// What nobody can claim of a comment any more when it takes back what `info` is of: that it is unused, or a part of it.
std::vector<std::string> used_by(const DiagInfo& info, const Suppression& comment, const SourceSet& sources);

}  // namespace capwright::lint
