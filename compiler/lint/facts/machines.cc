// References are looked up within the namespace: those of v1beta2 have none, and those of v1beta1 may not leave it.
#include "lint/facts/machines.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace capwright::lint {
namespace {

constexpr std::string_view kControlPlanes[] = {"KubeadmControlPlane", "RKE2ControlPlane", "KThreesControlPlane"};
constexpr std::string_view kPools[] = {"MachineDeployment", "MachinePool"};
constexpr std::string_view kClusterName = "cluster.x-k8s.io/cluster-name";

// v1beta2 of kubeadm and RKE2; v1beta1 and k3s; RKE2's first.
Node machines_of_control_plane(const Object& control_plane) {
  if (const Node node = control_plane["spec.machineTemplate.spec.infrastructureRef"]) return node;
  if (const Node node = control_plane["spec.machineTemplate.infrastructureRef"]) return node;
  return control_plane["spec.infrastructureRef"];
}

void add_labels(const Node& map, Labels& labels) {
  for (const auto& [key, value] : map.members()) labels.insert_or_assign(key, value.text());
}

bool has_values(const Node& expression, std::string_view value) {
  for (const Node item : expression["values"].items()) {
    if (item.text() == value) return true;
  }
  return false;
}

bool holds(const Node& expression, const Labels& labels) {
  const auto label = labels.find(expression["key"].text());
  const bool is_there = label != labels.end();
  const std::string_view how = expression["operator"].text();
  if (how == "Exists") return is_there;
  if (how == "DoesNotExist") return !is_there;
  const bool is_listed = is_there && has_values(expression, label->second);
  return how == "NotIn" ? !is_listed : is_listed;
}

// By hash or random text in the management cluster.
bool is_unknown(std::string_view label) {
  return label == "cluster.x-k8s.io/set-name" || label == "machine-template-hash" ||
         label.starts_with("topology.cluster.x-k8s.io/");
}

}  // namespace

const Object* object_at(const Object& from, const Node& reference) {
  const std::string_view name = reference["name"].text();
  if (name.empty()) return nullptr;
  const Objects found = from.cluster().named(reference["kind"].text(), from.space(), name);
  return found.empty() ? nullptr : found.front();
}

namespace {

const Object* find_control_plane(const Object& cluster) { return object_at(cluster, cluster["spec.controlPlaneRef"]); }
const Object* find_infrastructure(const Object& cluster) {
  return object_at(cluster, cluster["spec.infrastructureRef"]);
}

// A control plane or infrastructure, and a Cluster that refers to it.
struct Owned {
  const Object* part;
  const Object* cluster;
};

bool is_before(const Owned& a, const Owned& b) { return std::less<>()(a.part, b.part); }

// Sorted by the address of the part, then in the order of the Clusters. The addresses only serve the lookup of a part.
std::vector<Owned> find_owned(const Cluster& tree) {
  std::vector<Owned> owned;
  for (const Object* cluster : tree.of_kind("Cluster")) {
    for (const Object* part : {control_plane_of(*cluster), infrastructure_of(*cluster)}) {
      if (part != nullptr) owned.push_back({part, cluster});
    }
  }
  std::stable_sort(owned.begin(), owned.end(), is_before);
  return owned;
}

}  // namespace

const Object* cluster_of(const Object& part) {
  const std::vector<Owned>& owned = part.cluster().memo(find_owned);
  const auto found = std::lower_bound(owned.begin(), owned.end(), Owned{&part, nullptr}, is_before);
  return found == owned.end() || found->part != &part ? nullptr : found->cluster;
}

const Object* named_cluster(const Object& object) {
  const std::string_view name = object["spec.clusterName"].text();
  if (name.empty()) return nullptr;
  const Objects clusters = object.cluster().named("Cluster", object.space(), name);
  return clusters.empty() ? nullptr : clusters.front();
}

const Object* control_plane_of_pool(const Object& pool) {
  const Object* cluster = named_cluster(pool);
  return cluster != nullptr ? control_plane_of(*cluster) : nullptr;
}

bool skips_preflight_check(std::string_view skipped, std::string_view check) {
  return skipped.find("All") != std::string_view::npos || skipped.find(check) != std::string_view::npos;
}

Node azure_resource(const Object& object, std::string_view kind) {
  for (const Node resource : object["spec.resources"].items()) {
    if (resource["kind"].text() == kind) return resource;
  }
  return {};
}

namespace {

std::vector<MachineSet> find_machine_sets(const Cluster& tree) {
  std::vector<MachineSet> sets;
  for (const std::string_view kind : kControlPlanes) {
    for (const Object* owner : tree.of_kind(kind)) {
      const Object* cluster = cluster_of(*owner);
      if (cluster == nullptr || (*cluster)["spec.topology"]) continue;
      sets.push_back({owner, cluster, object_at(*owner, machines_of_control_plane(*owner)), true, {}});
    }
  }
  for (const std::string_view kind : kPools) {
    for (const Object* owner : tree.of_kind(kind)) {
      const Object* cluster = named_cluster(*owner);
      if (cluster == nullptr || (*cluster)["spec.topology"]) continue;
      sets.push_back({owner, cluster, object_at(*owner, (*owner)["spec.template.spec.infrastructureRef"]), false,
                      (*owner)["spec.template.spec.bootstrap.configRef"]});
    }
  }
  return sets;
}

}  // namespace

const Object* control_plane_of(const Object& cluster) { return cluster.memo_of_surroundings(find_control_plane); }

const Object* infrastructure_of(const Object& cluster) { return cluster.memo_of_surroundings(find_infrastructure); }

const std::vector<MachineSet>& machine_sets(const Cluster& tree) { return tree.memo(find_machine_sets); }

Labels labels_of(const MachineSet& set) {
  Labels labels;
  const Object& owner = *set.owner;
  add_labels(owner[set.is_control_plane ? Path("spec.machineTemplate.metadata.labels")
                                        : Path("spec.template.metadata.labels")],
             labels);
  labels.insert_or_assign(kClusterName, set.cluster->name());
  if (set.is_control_plane) {
    labels.insert_or_assign("cluster.x-k8s.io/control-plane", "");
    labels.insert_or_assign("cluster.x-k8s.io/control-plane-name", owner.name());
  } else {
    labels.insert_or_assign(
        owner.kind() == "MachinePool" ? "cluster.x-k8s.io/pool-name" : "cluster.x-k8s.io/deployment-name",
        owner.name());
  }
  return labels;
}

bool selects(const Node& selector, const Labels& labels) {
  for (const auto& [key, value] : selector["matchLabels"].members()) {
    const auto label = labels.find(key);
    if (label == labels.end() || label->second != value.text()) return false;
  }
  for (const Node expression : selector["matchExpressions"].items()) {
    if (!holds(expression, labels)) return false;
  }
  return true;
}

bool selects_unknown_labels(const Node& selector) {
  for (const auto& [key, value] : selector["matchLabels"].members()) {
    if (is_unknown(key)) return true;
  }
  for (const Node expression : selector["matchExpressions"].items()) {
    if (is_unknown(expression["key"].text())) return true;
  }
  return false;
}

}  // namespace capwright::lint
