// Fields that a cloud or a cluster keeps as they were made, though nobody refuses their change: what
// schemas/catalogue/immutable.yaml says, and where such a field is before and after a change.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/cluster.h"

namespace capwright::lint {

// An entry of the catalogue, whose texts live as long as the program.
struct ImmutableField {
  std::string_view kind;
  std::string_view resource;  // of the item of `spec.resources` that `path` is below; empty: it is below the object
  Path path;
  std::string_view by;         // who keeps it; of a network's empty
  std::string_view what, why;  // of a network's: what it is called, and what comes of changing it
  std::string gone;            // what its path below `spec.resources` is called when no resource of that kind is left
};
const std::vector<ImmutableField>& immutable_cloud_fields();
const std::vector<ImmutableField>& immutable_network_fields();

// A field that was there, and what is there now, which may be nothing.
struct FieldSides {
  Node was, is;
};
// Of an object of the field's kind, on both sides; of one with resources a pair for each, which is told by its kind and
// name. A resource that has gone while others of its kind stay is no change of a field.
std::vector<FieldSides> sides_of(const ImmutableField& field, const Object& old, const Object& now);

}  // namespace capwright::lint
