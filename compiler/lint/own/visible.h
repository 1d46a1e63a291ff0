// What expressions of the repository's own rules may see: everything but secrets, so that no message can show one.
#pragma once
#include "lint/cluster.h"

namespace capwright::lint::own {

// The object, with `<secret>` in place of every scalar that is masked where lines are shown. Origins stay.
Value visible(const Object& object, Arena& arena);

// The merged values of a cluster that was rendered in this run, likewise and without origins; else null.
Value visible_values(const Cluster& cluster, Arena& arena);

}  // namespace capwright::lint::own
