// The data that expressions of the repository's own rules may read: the variables of a ValidatingAdmissionPolicy
// besides the object, and objects and values without secrets, so that no message can show one.
#pragma once
#include "lint/model/cluster.h"

namespace capwright::lint::own {

// `request` for creating the object, with an unspecified user.
Value creation_of(const Object& object, Arena& arena);

// The object's Namespace if the tree contains it; otherwise null.
Value namespace_of(const Object& object, Arena& arena);

// The object with `<secret>` in place of each redacted scalar. Keeps origins.
Value visible(const Object& object, Arena& arena);

// The merged values of a cluster that was rendered in this run, likewise, but without origins; otherwise null.
Value visible_values(const Cluster& cluster, Arena& arena);

}  // namespace capwright::lint::own
