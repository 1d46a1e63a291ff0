// What a ValidatingAdmissionPolicy sees beside the object.
#pragma once
#include "lint/cluster.h"

namespace capwright::lint::own {

// `request` of the creation of the object, by nobody in particular.
Value creation_of(const Object& object, Arena& arena);

// The Namespace that it goes into, if the tree has it; else null.
Value namespace_of(const Object& object, Arena& arena);

}  // namespace capwright::lint::own
