// The server's own kinds (Secret, ConfigMap, Namespace …): decoded into Go types, with the checks of each kind.
#pragma once
#include "crd/place.h"
#include "crd/program.h"
#include "crd/registry.h"

namespace capwright::crd {

// Reports values that don't decode into a native type: unknown fields, and values of another type. The latter have the
// path `path`, because the server names no more. Returns false if there is a value of another type.
bool check_native(const Node&, const Value&, const Place&, std::string_view path, Reporter&);

// Reports the errors for which the server rejects the object on creation.
void check_native_object(const Schema&, const KindVersion&, const Value& object, Reporter&);

}  // namespace capwright::crd
