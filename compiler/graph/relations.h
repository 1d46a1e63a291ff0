// The links from one object to others: references, and the links that Cluster API, Argo CD and providers find by
// labels, by file paths and by annotations.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "graph/object_graph.h"

namespace capwright::graph {

// One end of a relation.
struct Target {
  Standing standing = Standing::Present;
  const lint::Object* object = nullptr;  // null: not in the tree
  const lint::File* file = nullptr;      // set if the target is a file of the tree
  // Of a target that isn't in the tree.
  std::string group, version, kind, space, name;
};

struct Link {
  Relation relation = Relation::RefersTo;
  lint::Node place;  // the field
  Target target;
  std::string names;  // Edge::names
};

// Visits all links of an object, in an unspecified but stable order.
void each_link(const lint::Object& object, const std::function<void(const Link&)>& visit);

}  // namespace capwright::graph
