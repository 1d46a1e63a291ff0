// Plans one cluster, while both of its sides are there.
#pragma once
#include "crd/validate.h"
#include "diff/change.h"
#include "pipeline/config.h"
#include "plan/plan.h"

namespace capwright::plan {

// What objects are judged by; null: nothing is known to be refused. And what happens to those that leave the tree.
struct Server {
  const crd::Registry* registry = nullptr;
  const crd::Admission* admission = nullptr;
  Delivery delivery = Delivery::ArgoCd;
};

// `diff` is what compare() gave for the two sides; a side is null when the cluster isn't there. More of their files may
// be read for it: who owns which machines is asked of all objects.
ClusterPlan plan_cluster(const diff::ClusterDiff& diff, diff::Side* before, diff::Side* after, const Server& server);

// The plan of a cluster that no values file makes any more, while its folder stays in the tree: nothing happens to it.
ClusterPlan left_in_tree(ClusterPlan plan);

}  // namespace capwright::plan
