// Comments that take findings back are looked at themselves: unused ones, and those without reason or out of date.
#pragma once
#include <string>

#include "lint/linter.h"

namespace capwright::lint {

// What is wrong with a cluster's comments, as far as it knows. To be called when it has been linted. A comment in a
// layer or a template is one for all clusters: it is unused when none of them uses it.
ClusterClaims claims_of_comments(const Linter& linter, const Cluster& cluster);

// A comment as it is called in all clusters.
std::string name_of(const Suppression& comment, const SourceSet& sources);
// What is claimed of it when nobody is known to use it.
std::string unused(const std::string& comment);

}  // namespace capwright::lint
