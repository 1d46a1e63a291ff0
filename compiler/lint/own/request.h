// The variables of a ValidatingAdmissionPolicy besides the object.
#pragma once
#include "lint/model/cluster.h"

namespace capwright::lint::own {

// `request` for creating the object, with an unspecified user.
Value creation_of(const Object& object, Arena& arena);

// The object's Namespace if the tree contains it; otherwise null.
Value namespace_of(const Object& object, Arena& arena);

}  // namespace capwright::lint::own
