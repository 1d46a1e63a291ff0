// Kinds of the server's own (Secret, ConfigMap, Namespace …): decoded into Go types, with the checks that each has.
#pragma once
#include "crd/place.h"
#include "crd/program.h"
#include "crd/registry.h"

namespace capwright::crd {

// Reports what doesn't decode into a native type: unknown fields, and values of another type. The path of the latter is
// `path`: the server names no more. Returns false when there was one of them.
bool check_native(const Node&, const Value&, const Place&, std::string_view path, Reporter&);

// Reports what the server refuses when the object is created.
void check_native_object(const Schema&, const KindVersion&, const Value& object, Reporter&);

}  // namespace capwright::crd
