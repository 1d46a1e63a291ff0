// The DOT language of Graphviz, with escStrings for labels and tooltips.
#include <fmt/format.h>

#include "graph/drawing.h"
#include "graph/object_graph.h"
#include "report/printable.h"

namespace capwright::graph {
namespace {

// For a quoted string. A trailing backslash would escape the closing quote, also in an id.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// For the text of a label or tooltip, in which `&amp;` means a character.
std::string escaped_text(std::string_view text) {
  std::string out;
  for (const char c : escaped(text)) out += c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string dot_label(const Vertex& vertex) {
  const Title title = title_of(vertex);
  const std::string_view mark = mark_of(vertex);
  std::string label = escaped_text(title.kind);
  if (!title.name.empty()) label += "\\n" + escaped_text(title.name);
  if (!mark.empty()) label += fmt::format("\\n({})", mark);
  return label;
}

std::string_view style_of(const Vertex& vertex) {
  switch (vertex.standing) {
    case Standing::Missing: return ", style=\"rounded,bold\", color=\"red3\", fontcolor=\"red3\"";
    case Standing::External:
    case Standing::Assumed: return ", style=\"rounded,dashed\", color=\"gray40\", fontcolor=\"gray40\"";
    case Standing::Present: break;
  }
  switch (vertex.use) {
    case Use::Unused: return ", style=\"rounded,filled\", fillcolor=\"lightyellow\", color=\"darkorange\"";
    case Use::Retired: return ", style=\"rounded,dotted\"";
    case Use::Normal: break;
  }
  return "";
}

std::string_view style_of(const DrawnEdge& edge, Standing standing) {
  if (standing == Standing::Missing) return ", style=bold, color=\"red3\", fontcolor=\"red3\", arrowhead=tee";
  if (standing != Standing::Present) return ", style=dashed, color=\"gray40\", fontcolor=\"gray40\"";
  return edge.relation == Relation::BelongsTo || edge.relation == Relation::Selects ? ", arrowhead=empty" : "";
}

std::string vertex_line(const Vertex& vertex, std::string_view indent) {
  std::string line = fmt::format("{}\"{}\" [label=\"{}\"", indent, escaped(vertex.id), dot_label(vertex));
  if (!vertex.file.empty())
    line += fmt::format(", tooltip=\"{}:{}\"", escaped_text(report::printable(vertex.file)), vertex.line);
  return line + fmt::format("{}];\n", style_of(vertex));
}

}  // namespace

std::string as_dot(const ObjectGraph& graph) {
  std::string out = "digraph capwright {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n";
  const Groups groups = groups_of(graph);
  for (std::size_t i = 0; i < groups.trees.size(); ++i) {
    const std::string title = escaped_text(report::printable(groups.trees[i].cluster));
    out += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", i, title);
    for (const std::size_t at : groups.trees[i].vertices) out += vertex_line(graph.vertices[at], "    ");
    out += "  }\n";
  }
  for (const std::size_t at : groups.others) out += vertex_line(graph.vertices[at], "  ");
  for (const DrawnEdge& edge : drawn_edges(graph)) {
    const Vertex &from = graph.vertices[edge.from], &to = graph.vertices[edge.to];
    out += fmt::format("  \"{}\" -> \"{}\" [label=\"{}\"{}];\n", escaped(from.id), escaped(to.id),
                       escaped_text(edge.label), style_of(edge, to.standing));
  }
  return out + "}\n";
}

}  // namespace capwright::graph
