// What leads from one object to others: references, and what Cluster API, Argo CD and providers find by labels, by
// paths of files and by annotations.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "graph/object_graph.h"

namespace capwright::graph {

// One end of a relation.
struct Target {
  Standing standing = Standing::Present;
  const lint::Object* object = nullptr;  // null: none in the tree
  const lint::File* file = nullptr;      // the target is a file of the tree
  // Of what is no object in the tree.
  std::string group, version, kind, space, name;
};

struct Link {
  Relation relation = Relation::RefersTo;
  lint::Node place;  // the field
  Target target;
  std::string names;  // Edge::names
};

// All of an object, in no particular order but always the same.
void each_link(const lint::Object& object, const std::function<void(const Link&)>& visit);

}  // namespace capwright::graph
