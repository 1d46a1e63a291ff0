// Checks of `metadata` that the server applies to every kind: names, labels, annotations, owners, finalizers. Also for
// embedded objects, including their types.
#pragma once
#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// What an object's name must be.
enum class NameRule : std::uint8_t { Subdomain, Label, PathSegment };

// `place` is the object. The server drops the namespace of a cluster-scoped object before it validates.
void check_metadata(const Place& place, NameRule, bool namespaced, Reporter&);

// Checks type and metadata of objects in fields with `x-kubernetes-embedded-resource`.
void check_embedded(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
