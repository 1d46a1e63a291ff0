// The objects of a cluster with their places in a drawing.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "graph/drawing.h"
#include "portal/problem.h"
#include "preview/preview_call.h"

namespace capwright::preview {
namespace {

constexpr int kSweeps = 4;  // more rounds rarely change rows

// Whether the object of the edge is a part of the one that it names.
bool belongs_to(graph::Relation relation) {
  return relation == graph::Relation::BelongsTo || relation == graph::Relation::DeploysTo ||
         relation == graph::Relation::Selects;
}

class ColumnFinder {
 public:
  explicit ColumnFinder(const graph::ObjectGraph& graph)
      : out_(graph.vertices.size()), columns_(graph.vertices.size(), 0), state_(graph.vertices.size(), State::New) {
    for (const graph::Edge& edge : graph.edges) {
      if (edge.from == edge.to) continue;
      const bool belongs = belongs_to(edge.relation);
      out_[belongs ? edge.to : edge.from].push_back(belongs ? edge.from : edge.to);
    }
  }

  std::vector<std::size_t> columns() {
    for (std::size_t i = 0; i < out_.size(); ++i) visit(i);
    std::reverse(order_.begin(), order_.end());  // now each vertex comes before those it refers to
    std::vector<std::size_t> place(out_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) place[order_[i]] = i;
    for (const std::size_t from : order_) {
      for (const std::size_t to : out_[from]) {
        if (place[to] > place[from]) columns_[to] = std::max(columns_[to], columns_[from] + 1);
      }
    }
    return columns_;
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  // Depth first, without recursion: a chain of references may be long.
  void visit(std::size_t root) {
    if (state_[root] != State::New) return;
    std::vector<std::pair<std::size_t, std::size_t>> path{{root, 0}};  // and the next edge of each
    state_[root] = State::Open;
    while (!path.empty()) {
      auto& [vertex, next] = path.back();
      if (next == out_[vertex].size()) {
        state_[vertex] = State::Done;
        order_.push_back(vertex);
        path.pop_back();
        continue;
      }
      const std::size_t to = out_[vertex][next++];
      if (state_[to] != State::New) continue;
      state_[to] = State::Open;
      path.emplace_back(to, 0);
    }
  }

  std::vector<std::vector<std::size_t>> out_;
  std::vector<std::size_t> columns_, order_;
  std::vector<State> state_;
};

struct PlacedVertex {
  std::size_t column = 0, row = 0;
};

// Each object is in a column to the right of those that refer to it, or that it belongs to, so that the Cluster is on
// the left. Columns are the longest path from an object without incoming references, and circles are cut at the edge
// that closes one. Rows are the average row of the neighbours on the left, which keeps most edges from crossing
// (Sugiyama, Tagawa, Toda 1981).
std::vector<PlacedVertex> layout_of(const graph::ObjectGraph& graph) {
  const std::size_t count = graph.vertices.size();
  const std::vector<std::size_t> columns = ColumnFinder(graph).columns();
  std::vector<std::vector<std::size_t>> members, neighbours(count);
  std::vector<double> rows(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (members.size() <= columns[i]) members.resize(columns[i] + 1);
    rows[i] = static_cast<double>(members[columns[i]].size());
    members[columns[i]].push_back(i);
  }
  for (const graph::Edge& edge : graph.edges) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  std::vector<double> wanted(count, 0);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::vector<std::size_t>& column : members) {
      for (const std::size_t i : column) {
        double sum = 0;
        for (const std::size_t other : neighbours[i]) sum += rows[other];
        wanted[i] = neighbours[i].empty() ? rows[i] : sum / static_cast<double>(neighbours[i].size());
      }
      std::stable_sort(column.begin(), column.end(),
                       [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
      for (std::size_t row = 0; row < column.size(); ++row) rows[column[row]] = static_cast<double>(row);
    }
  }
  std::vector<PlacedVertex> placed(count);
  for (std::size_t i = 0; i < count; ++i) placed[i] = {columns[i], static_cast<std::size_t>(rows[i])};
  return placed;
}

}  // namespace

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
