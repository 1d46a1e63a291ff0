// What the tool that applies the tree does with an object that leaves it: `deliveries` of
// schemas/catalogue/effects.yaml.
#pragma once
#include <string>
#include <string_view>

#include "lint/model/cluster.h"

namespace capwright::lint {

// The tool of the cluster's repository: "Argo CD".
std::string_view delivery_tool(const Cluster& cluster);
// Whether it deletes objects that leave the tree.
bool delivery_deletes(const Cluster& cluster);
// The annotation that makes it keep an object: "argocd.argoproj.io/sync-options: Prune=false"; empty: there is none.
std::string keeping_option(const Cluster& cluster);
// Whether the object has that annotation.
bool is_kept_by_option(const Object& object);

}  // namespace capwright::lint
