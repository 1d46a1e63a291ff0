// Reports a cluster that moves to another namespace as one event, though every object is deleted and created.
#pragma once
#include "diff/change.h"
#include "plan/plan.h"

namespace capwright::plan {

// If the Cluster changes its namespace, marks the actions of `plan` that are part of the move, and fills in
// `plan.move`.
void find_move(const diff::ClusterDiff& diff, const diff::Side* before, const diff::Side* after, ClusterPlan& plan);

}  // namespace capwright::plan
