// The server's decoding of an object: unknown fields, nulls without effect, defaults.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "crd/object_place.h"
#include "crd/program.h"

namespace capwright::crd {

// The schema of `metadata`, which all kinds share; from the digests of Kubernetes' own kinds.
struct MetaShape {
  const Node* object_meta = nullptr;  // null: not checked
};

// Reports unknown fields and metadata of the wrong type, everywhere in the object. Returns the object as the server
// continues with it: without nulls where none are allowed, with the schema's defaults, whole numbers as integers.
Value decode(const Schema&, const MetaShape&, const Value& object, Reporter&);

// Reports a member that the node doesn't declare, and suggests a similar one. `node` is null if the schema is unknown.
Finding& report_unknown_field(const Node*, const Place& member, Reporter&);

// A number without fraction as an Int, which is how it reaches the server; other values unchanged.
Value normalized_number(const Value&);

// Finds the intended parent of a misplaced field: the usual cause is wrong indentation.

// The parents of all fields called `name` below `root`, such as `spec.template.spec` or `spec.ports[]`; nearest to the
// root first. Empty if there are more than `most`: the intended one is then unclear. The status isn't searched.
std::vector<std::string> homes_of(const Node& root, std::string_view name, std::size_t most);

}  // namespace capwright::crd
