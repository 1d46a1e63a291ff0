// Kinds of the server's own (Secret, ConfigMap, Namespace …): decoded into Go types, with the checks that each has.
#pragma once
#include "crd/place.h"
#include "crd/program.h"
#include "crd/registry.h"

namespace capwright::crd {

// Reports what the server refuses when the object is created.
void check_native_object(const Schema&, const KindVersion&, const Value& object, Reporter&);

}  // namespace capwright::crd
