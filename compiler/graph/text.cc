// Trees that start at objects without incoming links. Objects that belong to a Cluster or select it are shown below it,
// against the direction of the link, which is how people view a cluster.
#include <fmt/format.h>

#include "graph/drawing.h"
#include "graph/object_graph.h"
#include "report/printable.h"

namespace capwright::graph {
namespace {

constexpr std::size_t kDeepest = 32;  // deeper objects begin another tree

struct Branch {
  std::size_t to;
  std::string text;  // "controlPlaneRef →"
};

class Trees {
 public:
  explicit Trees(const ObjectGraph& graph) : graph_(graph), below_(size()), is_below_(size()), is_shown_(size()) {
    for (const DrawnEdge& edge : drawn_edges(graph)) {
      const bool turned = graph.vertices[edge.to].standing == Standing::Present && is_turned(edge);
      const std::size_t from = turned ? edge.to : edge.from, to = turned ? edge.from : edge.to;
      below_[from].push_back({to, edge.label + (turned ? " ← " : " → ")});
      if (from != to) is_below_[to] = true;
    }
  }

  std::string print() {
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_below_[i]) add_tree(i);
    }
    for (std::size_t i = 0; i < size(); ++i) {  // objects in cycles
      if (!is_shown_[i]) add_tree(i);
    }
    return std::move(out_);
  }

 private:
  std::size_t size() const { return graph_.vertices.size(); }

  bool is_turned(const DrawnEdge& edge) const {
    if (edge.relation == Relation::BelongsTo || edge.relation == Relation::DeploysTo) return true;
    return edge.relation == Relation::Selects && graph_.vertices[edge.to].kind == "Cluster";
  }

  void add_line(const std::string& before, std::size_t at, bool again) {
    const Vertex& vertex = graph_.vertices[at];
    const Title title = title_of(vertex);
    const std::string_view mark = mark_of(vertex);
    out_ += before + title.kind;
    if (!title.name.empty()) out_ += " " + title.name;
    if (!mark.empty()) out_ += fmt::format(" ({})", mark);
    if (again) out_ += " (shown elsewhere)";
    else if (!vertex.file.empty() && vertex.kind != "File")
      out_ += fmt::format("  {}:{}", report::printable(vertex.file), vertex.line);
    out_ += "\n";
  }

  void add_tree(std::size_t root) {
    add_line("", root, false);
    is_shown_[root] = true;
    add_below(root, "", 0);
  }

  void add_below(std::size_t at, const std::string& indent, std::size_t depth) {
    for (std::size_t i = 0; i < below_[at].size(); ++i) {
      const Branch& branch = below_[at][i];
      const bool is_last = i + 1 == below_[at].size();
      const bool too_deep = depth == kDeepest && !below_[branch.to].empty();
      const bool again = (is_shown_[branch.to] && !below_[branch.to].empty()) || too_deep;
      add_line(indent + (is_last ? "└─ " : "├─ ") + branch.text, branch.to, again);
      if (again) continue;
      is_shown_[branch.to] = true;
      add_below(branch.to, indent + (is_last ? "   " : "│  "), depth + 1);
    }
  }

  const ObjectGraph& graph_;
  std::vector<std::vector<Branch>> below_;
  std::vector<bool> is_below_, is_shown_;
  std::string out_;
};

}  // namespace

std::string as_text(const ObjectGraph& graph) { return Trees(graph).print(); }

}  // namespace capwright::graph
