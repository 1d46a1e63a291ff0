// Fields that a cloud or a cluster never changes after creation, although no API rejects the change: the entries of
// schemas/catalogue/immutable.yaml, and the values of such a field before and after a change.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"

namespace capwright::lint {

// An entry of the catalogue; its texts live as long as the program.
struct ImmutableField {
  std::string_view kind;
  std::string_view resource;  // `path` is relative to such an item of `spec.resources`; empty: to the object
  Path path;
  std::string_view by;         // the component that ignores changes; empty for a network
  std::string_view what, why;  // for a network: its title, and the effect of a change
  std::string gone;            // the name of its path below `spec.resources` when no resource of that kind is left
};
const std::vector<ImmutableField>& immutable_cloud_fields();
const std::vector<ImmutableField>& immutable_network_fields();

// A field before the change, and after it, where it may be absent.
struct FieldSides {
  Node was, is;
};
// The field in an object of its kind on both sides; with resources, a pair for each, matched by kind and name. Removing
// one resource while others of its kind stay isn't a change of the field.
std::vector<FieldSides> sides_of(const ImmutableField& field, const Object& old, const Object& now);

}  // namespace capwright::lint
