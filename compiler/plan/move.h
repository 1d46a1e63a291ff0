// A cluster that goes to another namespace: one thing that happens, though every object is deleted and created.
#pragma once
#include "diff/change.h"
#include "plan/plan.h"

namespace capwright::plan {

// Marks the actions of `plan` that are part of a move, and fills in `plan.move`, where the Cluster is in one namespace
// before and in another one after.
void find_move(const diff::ClusterDiff& diff, const diff::Side* before, const diff::Side* after, ClusterPlan& plan);

}  // namespace capwright::plan
