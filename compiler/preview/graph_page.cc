// The objects of a cluster with their places in a drawing.
#include <nlohmann/json.hpp>

#include "graph/drawing.h"
#include "portal/problem.h"
#include "preview/layout.h"
#include "preview/preview_call.h"

namespace capwright::preview {

portal::Response object_graph(const Call& call) {
  portal::Response problem;
  OpenCluster* opened = cluster_of(call, problem);
  if (opened == nullptr) return problem;
  Json objects = Json::array(), references = Json::array();
  if (opened->objects != nullptr) {
    const graph::ObjectGraph graph = graph::graph_of(*opened->objects);
    const std::vector<PlacedVertex> places = layout_of(graph);
    for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
      const graph::Vertex& vertex = graph.vertices[i];
      const graph::Title title = graph::title_of(vertex);
      objects.push_back({{"kind", title.kind},
                         {"name", title.name},
                         {"mark", graph::mark_of(vertex)},
                         {"file", vertex.file},
                         {"line", vertex.line},
                         {"column", places[i].column},
                         {"row", places[i].row}});
    }
    for (const graph::DrawnEdge& edge : graph::drawn_edges(graph))
      references.push_back({{"from", edge.from}, {"to", edge.to}, {"label", edge.label}});
  }
  return portal::json_response({{"objects", std::move(objects)}, {"references", std::move(references)}});
}

}  // namespace capwright::preview
