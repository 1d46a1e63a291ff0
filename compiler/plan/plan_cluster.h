// Plans one cluster, and runs the rules of changes on it, while both of its sides are in memory.
#pragma once
#include "crd/validate.h"
#include "diff/change.h"
#include "diff/side.h"
#include "lint/engine/lint.h"
#include "pipeline/config.h"
#include "plan/plan.h"

namespace capwright::plan {

// The schemas and webhooks that judge objects (null: no refusals are reported), and what happens to objects that leave
// the tree.
struct Server {
  const crd::Registry* registry = nullptr;
  const crd::Admission* admission = nullptr;
  Delivery delivery = Delivery::ArgoCd;
};

// `diff` is the result of compare() for the two sides. A side is null when the cluster doesn't exist on it. May read
// more files of a side: ownership of machines depends on all objects.
ClusterPlan plan_cluster(const diff::ClusterDiff& diff, diff::Side* before, diff::Side* after, const Server& server);

// The plan of a cluster that no values file renders any more, while its folder stays in the tree: nothing happens to
// it.
ClusterPlan left_in_tree(ClusterPlan plan);

// Runs the rules of changes on the two sides of a comparison.

// Settings of the rules; must outlive the findings.
struct RuleSettings {
  lint::Context context;
  lint::Selection selection;
  const crd::Admission* admission = nullptr;
};

// A side is null when the cluster doesn't exist on it.
void check_rules(diff::Side* before, diff::Side* after, const RuleSettings& settings, lint::KeptFindings& findings);

}  // namespace capwright::plan
