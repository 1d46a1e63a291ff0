// Shared parts of the pictures and the tree: titles, marks, and edges without duplicates.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "graph/object_graph.h"

namespace capwright::graph {

// "KubeadmControlPlane" above the object's name; for an object that doesn't exist, "no Machine" and an empty name.
struct Title {
  std::string kind, name;
};
Title title_of(const Vertex&);

// The state to highlight: "missing", "external", "not in these files", "unused", "retired"; empty: none.
std::string_view mark_of(const Vertex&);

// The last significant key of a field: "configRef" for `spec.template.spec.bootstrap.configRef`.
std::string short_field(std::string_view field);

// Merges edges with the same label between the same two vertices.
struct DrawnEdge {
  std::size_t from = 0, to = 0;
  Relation relation = Relation::RefersTo;
  std::string label;
};
std::vector<DrawnEdge> drawn_edges(const ObjectGraph&);

// Groups of vertices by index in the graph: with several trees, those of each tree in order, and those without a tree;
// with a single tree, one group.
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
