// Version 1 of the graph as data: docs/graph.md states when a key is omitted.
#include <nlohmann/json.hpp>

#include "graph/object_graph.h"

namespace capwright::graph {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(Standing standing) {
  switch (standing) {
    case Standing::Present: return "present";
    case Standing::External: return "external";
    case Standing::Assumed: return "assumed";
    case Standing::Missing: return "missing";
  }
  return "";
}

void add(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json object_of(const Vertex& vertex) {
  Json json = {{"id", vertex.id}};
  add(json, "cluster", vertex.cluster);
  add(json, "group", vertex.group);
  add(json, "version", vertex.version);
  add(json, "kind", vertex.kind);
  add(json, "namespace", vertex.space);
  add(json, "name", vertex.name);
  add(json, "path", vertex.file);
  if (!vertex.file.empty()) json["line"] = vertex.line;
  json["status"] = word_of(vertex.standing);
  if (vertex.use == Use::Unused) json["unused"] = true;
  if (vertex.use == Use::Retired) json["retired"] = true;
  return json;
}

Json reference_of(const Edge& edge, const ObjectGraph& graph) {
  const Vertex& to = graph.vertices[edge.to];
  Json json = {{"from", graph.vertices[edge.from].id},
               {"to", to.id},
               {"relation", relation_name(edge.relation)},
               {"field", edge.field},
               {"line", edge.line},
               {"status", word_of(to.standing)}};
  add(json, "names", edge.names);
  return json;
}

}  // namespace

std::string as_json(const ObjectGraph& graph) {
  Json objects = Json::array(), references = Json::array();
  for (const Vertex& vertex : graph.vertices) objects.push_back(object_of(vertex));
  for (const Edge& edge : graph.edges) references.push_back(reference_of(edge, graph));
  const Json document = {{"version", 1}, {"objects", std::move(objects)}, {"references", std::move(references)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::graph
