// Places the objects of a cluster for a drawing: each in a column to the right of those that refer to it, or that it
// belongs to, so that the Cluster is on the left.
#pragma once
#include <cstddef>
#include <vector>

#include "graph/object_graph.h"

namespace capwright::preview {

struct PlacedVertex {
  std::size_t column = 0, row = 0;
};

// One place for each vertex. Deterministic; circles of references are cut at the edge that closes one.
std::vector<PlacedVertex> layout_of(const graph::ObjectGraph& graph);

}  // namespace capwright::preview
