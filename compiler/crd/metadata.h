// `metadata` as the server checks it in every kind: names, labels, annotations, owners, finalizers. Also of objects in
// fields, with their types.
#pragma once
#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// What an object's name must be.
enum class NameRule : std::uint8_t { Subdomain, Label, PathSegment };

// `place` is the object. A namespace that a kind without them has is dropped by the server before anybody looks at it.
void check_metadata(const Place& place, NameRule, bool namespaced, Reporter&);

// Type and metadata of the objects that stand in fields with `x-kubernetes-embedded-resource`.
void check_embedded(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
