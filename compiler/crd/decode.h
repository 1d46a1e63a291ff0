// The server's first look at an object: fields that no schema has, nulls that mean nothing, defaults.
#pragma once
#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// The shape of `metadata`, which all kinds share; from the digests of Kubernetes' own kinds.
struct MetaShape {
  const Node* object_meta = nullptr;  // null: not checked
};

// Reports unknown fields and what doesn't fit `metadata`, everywhere in the object, and returns it as the server goes
// on with it: without nulls where none are allowed, with the schema's defaults, whole numbers as integers.
Value decode(const Schema&, const MetaShape&, const Value& object, Reporter&);

// Reports a member that the node doesn't have, with the one that may be meant. `node` is null where nothing is known.
Finding& report_unknown_field(const Node*, const Place& member, Reporter&);

// A number without fraction as an Int, which is how it reaches the server; anything else as it is.
Value normalized_number(const Value&);

}  // namespace capwright::crd
