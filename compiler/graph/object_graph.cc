// Of each cluster, adds objects first, then their links; a target outside the tree becomes a vertex at the first link
// to it.
#include "graph/object_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "graph/relations.h"
#include "lint/facts/credential_places.h"
#include "lint/facts/credentials.h"
#include "report/printable.h"
#include "rotation/keep.h"

namespace capwright::graph {
namespace {

constexpr std::string_view kHidden = "<secret>";

// Equal for vertices that are the same object outside of the tree.
std::string identity(const Vertex& vertex) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", static_cast<int>(vertex.standing), vertex.cluster, vertex.group,
                     vertex.kind, vertex.space, vertex.name, vertex.version);
}

class Builder {
 public:
  explicit Builder(lint::Cluster& cluster) : cluster_(&cluster) {
    secrets_ = redactor_of(cluster).all_texts();
    for (const lint::Object* object : cluster.objects()) objects_[object] = add_object(*object);
    for (const lint::Object* object : cluster.objects())
      each_link(*object, [&](const Link& link) { add(*object, link); });
    mark_unused();
  }

  ObjectGraph take() { return std::move(graph_); }

 private:
  // A text without secrets and texts derived from them.
  std::string shown(std::string_view text) const { return secrets_.redact(text); }
  std::string shown(const lint::Node& scalar) const {
    if (!scalar) return {};
    return is_tainted(scalar) ? std::string(kHidden) : shown(scalar.text());
  }

  std::uint32_t line_of(const lint::Node& node) const {
    const Span span = node.span();
    return span.known() ? cluster_->sources().line_col(span.file, span.begin).line : 0;
  }

  std::size_t add_vertex(Vertex vertex) {
    graph_.vertices.push_back(std::move(vertex));
    return graph_.vertices.size() - 1;
  }

  std::size_t add_object(const lint::Object& object) {
    Vertex vertex;
    vertex.cluster = cluster_->name();
    vertex.group = shown(object.group());
    vertex.version = shown(object.version());
    vertex.kind = shown(object["kind"]);
    vertex.space = shown(object["metadata.namespace"]);
    vertex.name = shown(object["metadata.name"]);
    vertex.file = shown(object.file().path);
    vertex.line = line_of(object.place());
    return add_vertex(std::move(vertex));
  }

  std::size_t add_file(const lint::File& file) {
    const auto [known, is_new] = files_.try_emplace(&file, 0);
    if (!is_new) return known->second;
    Vertex vertex;
    vertex.cluster = cluster_->name();
    vertex.kind = "File";
    vertex.name = vertex.file = shown(file.path);
    vertex.line = 1;
    return known->second = add_vertex(std::move(vertex));
  }

  std::size_t add_absent(const Target& target, std::size_t seen_from) {
    Vertex vertex;
    if (target.standing == Standing::Missing) vertex.cluster = cluster_->name();
    vertex.group = shown(target.group);
    vertex.version = shown(target.version);
    vertex.kind = shown(target.kind);
    vertex.space = shown(target.space);
    vertex.name = shown(target.name);
    vertex.standing = target.standing;
    // A vertex without a name isn't a specific object: each object that refers to one has its own.
    const auto [known, is_new] = absent_.try_emplace({identity(vertex), vertex.name.empty() ? seen_from : 0}, 0);
    if (is_new) known->second = add_vertex(std::move(vertex));
    return known->second;
  }

  std::size_t vertex_of(const Target& target, std::size_t seen_from) {
    if (target.object != nullptr) return objects_.at(target.object);
    return target.file != nullptr ? add_file(*target.file) : add_absent(target, seen_from);
  }

  void add(const lint::Object& from, const Link& link) {
    Edge edge;
    edge.from = objects_.at(&from);
    edge.to = vertex_of(link.target, edge.from);
    edge.relation = link.relation;
    edge.field = shown(link.place.path());
    edge.line = line_of(link.place);
    edge.names = shown(link.names);
    graph_.edges.push_back(std::move(edge));
  }

  void mark_unused();

  ObjectGraph graph_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> absent_;
  const lint::Cluster* cluster_;
  SecretTexts secrets_;
  std::map<const lint::Object*, std::size_t> objects_;  // looked up, never iterated: addresses have no stable order
  std::map<const lint::File*, std::size_t> files_;
};

// Kinds of objects that have an effect only when another object refers to them.
bool is_to_be_referred_to(const lint::Object& object) {
  constexpr std::string_view kResourceSet = "addons.cluster.x-k8s.io/resource-set";
  const std::string_view group = object.group(), kind = object.kind();
  if (kind == "Secret") return object["type"].text() == kResourceSet;
  if (kind == "ExternalSecret") return object["spec.target.template.type"].text() == kResourceSet;
  if (!group.ends_with(".cluster.x-k8s.io")) return false;
  if (group.starts_with("bootstrap.") || group.starts_with("controlplane.") || kind.ends_with("Template")) return true;
  return group.starts_with("infrastructure.") && (kind.ends_with("Cluster") || kind.ends_with("ControlPlane") ||
                                                  kind.ends_with("MachinePool") || kind.ends_with("Identity"));
}

void Builder::mark_unused() {
  if (cluster_->of_kind("Cluster").empty()) return;  // a part of a tree doesn't contain all references
  std::set<std::size_t> used;
  for (const Edge& edge : graph_.edges) used.insert(edge.to);
  for (const lint::Object* object : cluster_->objects()) {
    const std::size_t at = objects_.at(object);
    if (used.contains(at) || !is_to_be_referred_to(*object)) continue;
    const bool is_kept = object->file().path.ends_with(rotation::kRetiredFile);
    graph_.vertices[at].use = is_kept ? Use::Retired : Use::Unused;
  }
}

class Joiner {
 public:
  void add(ObjectGraph part) {
    std::vector<std::size_t> places;
    for (Vertex& vertex : part.vertices) places.push_back(place_of(std::move(vertex)));
    for (Edge& edge : part.edges) {
      edge.from = places[edge.from];
      edge.to = places[edge.to];
      graph_.edges.push_back(std::move(edge));
    }
  }

  ObjectGraph take() { return std::move(graph_); }

 private:
  std::size_t place_of(Vertex vertex) {
    const bool may_repeat = vertex.standing != Standing::Present && !vertex.name.empty();
    if (!may_repeat) return add_vertex(std::move(vertex));
    const auto [known, is_new] = absent_.try_emplace(identity(vertex), 0);
    if (is_new) known->second = add_vertex(std::move(vertex));
    return known->second;
  }

  std::size_t add_vertex(Vertex vertex) {
    const std::string wanted =
        report::printable(fmt::format("{}/{}/{}/{}", vertex.group, vertex.kind, vertex.space, vertex.name));
    vertex.id = wanted;
    for (int& number = ids_[wanted]; !taken_.insert(vertex.id).second;)
      vertex.id = fmt::format("{}#{}", wanted, number = std::max(number + 1, 2));
    graph_.vertices.push_back(std::move(vertex));
    return graph_.vertices.size() - 1;
  }

  ObjectGraph graph_;
  std::map<std::string, int> ids_;  // the last suffix used for each id that would repeat
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> absent_;
};

}  // namespace

std::string_view relation_name(Relation relation) {
  switch (relation) {
    case Relation::RefersTo: return "refers-to";
    case Relation::BelongsTo: return "belongs-to";
    case Relation::Selects: return "selects";
    case Relation::DeploysTo: return "deploys-to";
    case Relation::Reads: return "reads";
    case Relation::Installs: return "installs";
  }
  return "";
}

ObjectGraph graph_of(lint::Cluster& cluster) { return Builder(cluster).take(); }

ObjectGraph join(std::vector<ObjectGraph> parts) {
  Joiner joiner;
  for (ObjectGraph& part : parts) joiner.add(std::exchange(part, {}));
  return joiner.take();
}

}  // namespace capwright::graph
