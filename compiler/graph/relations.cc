// One function per kind of relation.
#include "graph/relations.h"

#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

#include "lint/facts/applications.h"
#include "lint/facts/cluster_addons.h"
#include "lint/facts/label_index.h"
#include "lint/facts/machines.h"
#include "secrets/urls.h"

namespace capwright::graph {
namespace {

using lint::Node;
using lint::Object;
using Visit = std::function<void(const Link&)>;

Target target_of(const lint::Reference& reference, const lint::Cluster& cluster) {
  Target target;
  target.standing = standing_of(reference, cluster);
  if (target.standing == Standing::Present) target.object = resolve(reference, cluster);
  target.group = reference.group;
  target.kind = reference.kind;
  target.space = reference.space;
  target.name = reference.name;
  return target;
}

void visit_reference(const lint::Reference& reference, Relation relation, const Visit& visit) {
  Link link{relation, reference.place, target_of(reference, reference.from->cluster()), {}};
  const Object* found = link.target.object;
  const bool by_maker = found != nullptr && (found->kind() != reference.kind || found->name() != reference.name);
  if (by_maker) link.names = fmt::format("{}/{}", reference.kind, reference.name);
  visit(link);
}

// A reference to a kind that the field implies.
void visit_named(const Object& from, const Node& name, std::string_view kind, const Visit& visit) {
  if (name.text().empty()) return;
  visit_reference({&from, name, name, {}, kind, name.text(), from.space()}, Relation::RefersTo, visit);
}

void add_references(const Object& object, const Visit& visit) {
  for (const lint::Reference& reference : references_of(object)) {
    const bool belongs = reference.kind == "Cluster" && reference.place.text() == reference.name;
    visit_reference(reference, belongs ? Relation::BelongsTo : Relation::RefersTo, visit);
  }
}

void add_store(const Object& object, const Visit& visit) {
  const Node store = object["spec.secretStoreRef"];
  const std::string_view kind = store["kind"].text();
  if (store["name"].text().empty()) return;
  const bool is_shared = kind == "ClusterSecretStore";
  visit_reference({&object, store, store["name"], object.group(), is_shared ? kind : "SecretStore",
                   store["name"].text(), is_shared ? "" : object.space()},
                  Relation::RefersTo, visit);
}

// A selector without matches links to a missing object.
void visit_nothing(const Node& selector, std::string_view kind, const Visit& visit) {
  Link link{Relation::Selects, selector, {}, {}};
  link.target.standing = Standing::Missing;
  link.target.kind = kind;
  visit(link);
}

// In the order of lint::machine_sets(), within the name of their Cluster.
lint::LabelIndex index_machines(const lint::Cluster& tree) {
  lint::LabelIndex index;
  for (const lint::MachineSet& set : lint::machine_sets(tree)) index.add(set.cluster->name(), lint::labels_of(set));
  return index;
}

void add_watched_machines(const Object& check, const Visit& visit) {
  const Node selector = check["spec.selector"];
  const Object* cluster = lint::named_cluster(check);
  if (!selector || cluster == nullptr || (*cluster)["spec.topology"] || lint::selects_unknown_labels(selector)) return;
  bool found = false;
  for (const std::size_t number : check.cluster().memo(index_machines).selected(cluster->name(), selector)) {
    const lint::MachineSet& set = lint::machine_sets(check.cluster())[number];
    if (set.cluster != cluster) continue;  // another Cluster of the same name
    found = true;
    visit({Relation::Selects, selector, {Standing::Present, set.owner, nullptr, {}, {}, {}, {}, {}}, {}});
  }
  if (!found) visit_nothing(selector, "Machine", visit);
}

// In the order of the Clusters, within their namespace.
lint::LabelIndex index_clusters(const lint::Cluster& tree) {
  lint::LabelIndex index;
  for (const Object* cluster : tree.of_kind("Cluster")) {
    lint::Labels labels;
    for (const auto& [key, value] : (*cluster)["metadata.labels"].members()) labels[key] = value.text();
    index.add(cluster->space(), std::move(labels));
  }
  return index;
}

void add_selected_clusters(const Object& set, const Visit& visit) {
  const Node selector = set["spec.clusterSelector"];
  const lint::Objects clusters = set.cluster().of_kind("Cluster");
  if (!selector || clusters.empty()) return;
  const std::vector<std::size_t> selected = set.cluster().memo(index_clusters).selected(set.space(), selector);
  for (const std::size_t number : selected)
    visit({Relation::Selects, selector, {Standing::Present, clusters[number], nullptr, {}, {}, {}, {}, {}}, {}});
  if (selected.empty()) visit_nothing(selector, "Cluster", visit);
}

// Removes credentials from a URL: user names, and secret parameters.
std::string without_credentials(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::size_t host = scheme + 3;
  const std::size_t at = url.substr(host, url.find_first_of("/?#", host) - host).rfind('@');
  const std::string_view rest = url.substr(at == std::string_view::npos ? host : host + at + 1);
  return redact_urls(std::string(url.substr(0, host)).append(rest));
}

Target outside(std::string_view kind, std::string_view space, std::string_view name, std::string_view version) {
  Target target;
  target.standing = Standing::External;
  target.kind = kind;
  target.space = space;
  target.name = name;
  target.version = version;
  return target;
}

void add_value_file(const Object& application, const Node& place, const Visit& visit) {
  const std::string_view text = place.text();
  const std::size_t slash = text.find('/');
  if (!text.starts_with('$') || slash == std::string_view::npos) return;
  const std::string_view path = text.substr(slash + 1);
  const lint::Cluster& cluster = application.cluster();
  Link link{Relation::Reads, place, {}, {}};
  link.target.kind = "File";
  link.target.file = lint::file_at(cluster, path);
  if (link.target.file == nullptr) {
    const std::string own = fmt::format("clusters/{}/", cluster.name());
    const std::size_t at = cluster.name().empty() ? std::string_view::npos : path.find(own);
    const bool is_own = at != std::string_view::npos && (at == 0 || path[at - 1] == '/');
    link.target.standing = is_own ? Standing::Missing : Standing::Assumed;
    link.target.name = is_own ? path.substr(at) : path;
  }
  visit(link);
}

void add_application(const Object& application, const Visit& visit) {
  for (const lint::ChartSource& source : lint::sources_of(application)) {
    const std::string repository = without_credentials(source.repository);
    if (!source.chart.empty()) {
      visit({Relation::Installs, source.node, outside("Chart", repository, source.chart, source.revision), {}});
    } else if (!source.path.empty()) {
      visit({Relation::Installs,
             source.node["path"],
             outside("Repository", repository, source.path, source.revision),
             {}});
    }
    for (const Node& file : source.value_files()) add_value_file(application, file, visit);
  }
  const Node destination = application["spec.destination.name"];
  if (destination.text().empty() || lint::is_in_cluster(application)) return;
  const lint::Reference reference{&application, destination, destination, {}, "Cluster", destination.text(), {}};
  Link link{Relation::DeploysTo, destination, target_of(reference, application.cluster()), {}};
  // Argo CD's name for a cluster is usually, but not always, the name of its Cluster.
  if (link.target.standing == Standing::Missing) link.target.standing = Standing::Assumed;
  visit(link);
}

// Objects that contain Azure Service Operator objects in their `spec.resources`, by kind and name of these; the first
// of several.
using Holders = std::map<std::pair<std::string_view, std::string_view>, const Object*>;

Holders find_holders(const lint::Cluster& tree) {
  Holders holders;
  for (const Object* object : tree.objects()) {
    if (!object->kind().starts_with("AzureASO")) continue;
    for (const Node resource : (*object)["spec.resources"].items())
      holders.try_emplace({resource["kind"].text(), resource["metadata.name"].text()}, object);
  }
  return holders;
}

// Null: there is none.
const Object* holder_of(const Node& reference, const lint::Cluster& tree) {
  const Holders& holders = tree.memo(find_holders);
  const auto found = holders.find({reference["kind"].text(), reference["name"].text()});
  return found == holders.end() ? nullptr : found->second;
}

// `{group, kind, name}`, the form of Azure Service Operator.
void add_azure_references(const Object& from, const Node& node, const Visit& visit) {
  if (node["group"] && node["kind"] && !node["name"].text().empty()) {
    const Object* holder = holder_of(node, from.cluster());
    if (holder == &from) return;
    Link link{Relation::RefersTo, node, {}, {}};
    if (holder != nullptr) link.names = fmt::format("{}/{}", node["kind"].text(), node["name"].text());
    link.target = {holder != nullptr ? Standing::Present : Standing::Assumed,
                   holder,
                   nullptr,
                   std::string(node["group"].text()),
                   {},
                   std::string(node["kind"].text()),
                   std::string(from.space()),
                   std::string(node["name"].text())};
    return visit(link);
  }
  for (const auto& [key, value] : node.members()) add_azure_references(from, value, visit);
  for (const Node item : node.items()) add_azure_references(from, item, visit);
}

void add_azure(const Object& object, const Visit& visit) {
  constexpr std::string_view kCredential = "serviceoperator.azure.com/credential-from";
  visit_named(object, object.annotation(kCredential), "Secret", visit);
  for (const Node resource : object["spec.resources"].items())
    visit_named(object, resource["metadata.annotations"].member(kCredential), "Secret", visit);
  add_azure_references(object, object["spec.resources"], visit);
}

}  // namespace

void each_link(const Object& object, const Visit& visit) {
  add_references(object, visit);
  if (object.kind() == "ExternalSecret") add_store(object, visit);
  if (object.kind() == "MachineHealthCheck") add_watched_machines(object, visit);
  if (object.kind() == "ClusterResourceSet") add_selected_clusters(object, visit);
  if (object.kind().starts_with("AzureASO")) add_azure(object, visit);
  if (lint::is_application(object)) add_application(object, visit);
}

}  // namespace capwright::graph
