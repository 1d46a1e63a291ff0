// Mermaid flowcharts. Characters with a meaning in a label, or in one of the expressions that Mermaid searches for
// before it parses (`%%{`, `style…:…#…;`), are written as numbers.
#include <fmt/format.h>

#include "graph/drawing.h"
#include "graph/object_graph.h"
#include "report/printable.h"

namespace capwright::graph {
namespace {

bool is_plain(unsigned char c) {
  constexpr std::string_view kPlain = " _-./";
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return c >= 0x80 || is_letter || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
}

std::string entity_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_plain(static_cast<unsigned char>(c))) out += c;
    else out += fmt::format("#{};", static_cast<int>(c));
  }
  return out;
}

std::string mermaid_label(const Vertex& vertex) {
  const Title title = title_of(vertex);
  const std::string_view mark = mark_of(vertex);
  std::string label = entity_escaped(title.kind);
  if (!title.name.empty()) label += "<br/>" + entity_escaped(title.name);
  if (!mark.empty()) label += "<br/>" + entity_escaped(fmt::format("({})", mark));
  return label;
}

std::string_view class_of(const Vertex& vertex) {
  switch (vertex.standing) {
    case Standing::Missing: return "missing";
    case Standing::External:
    case Standing::Assumed: return "external";
    case Standing::Present: break;
  }
  switch (vertex.use) {
    case Use::Unused: return "unused";
    case Use::Retired: return "retired";
    case Use::Normal: break;
  }
  return "";
}

std::string_view arrow_to(const Vertex& vertex) {
  if (vertex.standing == Standing::Missing) return "--x";
  return vertex.standing == Standing::Present ? "-->" : "-.->";
}

// "class n1,n5 missing", for those that are used.
std::string class_lines(const ObjectGraph& graph) {
  struct Class {
    std::string_view name, style;
  };
  constexpr Class kClasses[] = {{"missing", "stroke:red,stroke-width:2px,color:red"},
                                {"external", "stroke-dasharray:5 5,color:gray"},
                                {"unused", "fill:lightyellow,stroke:darkorange"},
                                {"retired", "stroke-dasharray:2 2"}};
  std::string out;
  for (const Class& each : kClasses) {
    std::string members;
    for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
      if (class_of(graph.vertices[i]) == each.name) members += fmt::format("{}n{}", members.empty() ? "" : ",", i);
    }
    if (members.empty()) continue;
    out += fmt::format("  classDef {} {}\n  class {} {}\n", each.name, each.style, members, each.name);
  }
  return out;
}

std::string missing_links(const ObjectGraph& graph, const std::vector<DrawnEdge>& edges) {
  std::string numbers;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (graph.vertices[edges[i].to].standing == Standing::Missing)
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", i);
  }
  return numbers.empty() ? "" : fmt::format("  linkStyle {} stroke:red\n", numbers);
}

}  // namespace

std::string as_mermaid(const ObjectGraph& graph) {
  std::string out = "flowchart LR\n";
  const auto add_vertex = [&](std::size_t at, std::string_view indent) {
    out += fmt::format("{}n{}[\"{}\"]\n", indent, at, mermaid_label(graph.vertices[at]));
  };
  const Groups groups = groups_of(graph);
  for (std::size_t i = 0; i < groups.trees.size(); ++i) {
    const std::string title = entity_escaped(report::printable(groups.trees[i].cluster));
    out += fmt::format("  subgraph s{}[\"{}\"]\n", i, title.empty() ? " " : title);
    for (const std::size_t at : groups.trees[i].vertices) add_vertex(at, "    ");
    out += "  end\n";
  }
  for (const std::size_t at : groups.others) add_vertex(at, "  ");
  const std::vector<DrawnEdge> edges = drawn_edges(graph);
  for (const DrawnEdge& edge : edges) {
    out += fmt::format("  n{} {}|\"{}\"| n{}\n", edge.from, arrow_to(graph.vertices[edge.to]),
                       entity_escaped(edge.label), edge.to);
  }
  return out + class_lines(graph) + missing_links(graph, edges);
}

}  // namespace capwright::graph
