// Linting as commands and tests ask for it: rules and server, suppressions, places that people edit; in that order.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "lint/linter.h"
#include "lint/present.h"

namespace capwright::lint {

// Adds the findings of a cluster to its sink. Clusters may be linted side by side.
void lint_cluster(const Linter& linter, const Cluster& cluster, Blame blame);

// Adds what only shows in all of them together.
void lint_fleet(const Linter& linter, const Fleet& fleet, Blame blame, FleetReport& report);

// A manifest as it was read.
struct Manifest {
  std::string path;
  std::string text;
};

// Manifests that nobody renders here, by the cluster that their path names (`clusters/<name>/…`); others are one group,
// without a name, which comes first.
std::vector<std::unique_ptr<Cluster>> group_manifests(std::vector<Manifest> manifests, const Context& context);

}  // namespace capwright::lint
