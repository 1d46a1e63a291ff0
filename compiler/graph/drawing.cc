// Texts come from inputs: this file escapes unprintable characters, each format escapes its special ones.
#include "graph/drawing.h"

#include <fmt/format.h>
#include <set>
#include <tuple>

#include "report/printable.h"

namespace capwright::graph {

Title title_of(const Vertex& vertex) {
  const std::string kind = report::printable(vertex.kind);
  if (vertex.name.empty()) return {vertex.standing == Standing::Missing ? "no " + kind : kind, ""};
  std::string name = report::printable(vertex.name);
  if (!vertex.version.empty() && (vertex.kind == "Chart" || vertex.kind == "Repository") && vertex.group.empty())
    name += " " + report::printable(vertex.version);
  return {kind, name};
}

std::string_view mark_of(const Vertex& vertex) {
  switch (vertex.standing) {
    case Standing::Missing: return "missing";
    case Standing::External: return "external";
    case Standing::Assumed: return "not in these files";
    case Standing::Present: break;
  }
  switch (vertex.use) {
    case Use::Unused: return "unused";
    case Use::Retired: return "retired";
    case Use::Normal: break;
  }
  return "";
}

std::string short_field(std::string_view field) {
  if (field.ends_with(".name")) field.remove_suffix(5);
  while (field.ends_with(']')) field = field.substr(0, field.rfind('['));
  return report::printable(field.substr(field.rfind('.') + 1));
}

std::vector<DrawnEdge> drawn_edges(const ObjectGraph& graph) {
  std::set<std::tuple<std::size_t, std::size_t, Relation, std::string>> drawn;
  std::vector<DrawnEdge> edges;
  for (const Edge& edge : graph.edges) {
    std::string label = short_field(edge.field);
    if (!drawn.insert({edge.from, edge.to, edge.relation, label}).second) continue;
    edges.push_back({edge.from, edge.to, edge.relation, std::move(label)});
  }
  return edges;
}

Groups groups_of(const ObjectGraph& graph) {
  Groups groups;
  for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
    const Vertex& vertex = graph.vertices[i];
    if (vertex.standing != Standing::Present) {
      groups.others.push_back(i);
      continue;
    }
    if (groups.trees.empty() || groups.trees.back().cluster != vertex.cluster)
      groups.trees.push_back({vertex.cluster, {}});
    groups.trees.back().vertices.push_back(i);
  }
  if (groups.trees.size() == 1) {
    groups.others.insert(groups.others.begin(), groups.trees[0].vertices.begin(), groups.trees[0].vertices.end());
    groups.trees.clear();
  }
  return groups;
}

}  // namespace capwright::graph
