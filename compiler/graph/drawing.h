// What the pictures and the tree say alike: titles, marks, and edges without those that would be drawn twice.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "graph/object_graph.h"

namespace capwright::graph {

// "KubeadmControlPlane", and below it its name; of what doesn't exist at all "no Machine" and nothing.
struct Title {
  std::string kind, name;
};
Title title_of(const Vertex&);

// Why it stands out: "missing", "external", "not in these files", "unused", "retired"; empty: it doesn't.
std::string_view mark_of(const Vertex&);

// The last key of a field that says something: "configRef" of `spec.template.spec.bootstrap.configRef`.
std::string short_field(std::string_view field);

// Edges of one label between the same two are one..
struct DrawnEdge {
  std::size_t from = 0, to = 0;
  Relation relation = Relation::RefersTo;
  std::string label;
};
std::vector<DrawnEdge> drawn_edges(const ObjectGraph&);

// Which vertices stand together, by place in the graph: in several trees each tree's own, in order, and those of none;
// in a single tree all are among the others.
struct Groups {
  struct Tree {
    std::string cluster;
    std::vector<std::size_t> vertices;
  };
  std::vector<Tree> trees;
  std::vector<std::size_t> others;
};
Groups groups_of(const ObjectGraph&);

}  // namespace capwright::graph
