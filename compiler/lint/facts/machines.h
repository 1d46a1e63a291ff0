// Which machines a cluster is made of: control planes and pools, the templates that they are made from, and which label
// selectors find them. The names of fields are those of Cluster API v1beta1 and v1beta2 alike.
#pragma once
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"

namespace capwright::lint {

// The object that `{kind, name}` names, in the namespace of `from`; null when the tree has none.
const Object* object_at(const Object& from, const Node& reference);

// What a Cluster refers to, and the Cluster that refers to an infrastructure or control plane; null when there is none.
const Object* control_plane_of(const Object& cluster);
const Object* infrastructure_of(const Object& cluster);
const Object* cluster_of(const Object& part);
// The Cluster that a pool or health check names in `spec.clusterName`.
const Object* named_cluster(const Object& object);
// The control plane of that Cluster.
const Object* control_plane_of_pool(const Object& pool);

// Annotation of a MachineDeployment: checks that Cluster API doesn't make before it creates machines (cluster-api v1.14
// docs/book/src/tasks/experimental-features/machineset-preflight-checks.md).
inline constexpr std::string_view kSkippedPreflightChecks = "machineset.cluster.x-k8s.io/skip-preflight-checks";
// Whether the annotation's value names a check, in whole or by a part of its name, or all checks.
bool skips_preflight_check(std::string_view skipped, std::string_view check);

// The resource of Azure Service Operator of that kind, inside a manifest of AKS.
Node azure_resource(const Object& object, std::string_view kind);

// Machines that are made alike.
struct MachineSet {
  const Object* owner = nullptr;             // a control plane, MachineDeployment or MachinePool
  const Object* cluster = nullptr;           // its Cluster
  const Object* machine_template = nullptr;  // null: the tree has none
  bool is_control_plane = false;
  Node bootstrap;  // reference to the template of how they join; of a control plane absent

  // As it is written; of an autoscaled pool absent.
  std::optional<std::int64_t> replicas() const { return (*owner)["spec.replicas"].integer(); }
  // Of Kubernetes.
  Node version() const {
    return (*owner)[is_control_plane ? Path("spec.version") : Path("spec.template.spec.version")];
  }
};

// Those of all Clusters in the tree whose machines Cluster API makes; not those of a ClusterClass, which are only made
// in the management cluster.
const std::vector<MachineSet>& machine_sets(const Cluster& tree);

using Labels = std::map<std::string_view, std::string_view>;

// Labels of the machines: those in the manifest, and those that the controllers put on.
Labels labels_of(const MachineSet& set);
// A selector of `matchLabels` and `matchExpressions`.
bool selects(const Node& selector, const Labels& labels);
// Whether it asks for a label whose value only the management cluster knows.
bool selects_unknown_labels(const Node& selector);

}  // namespace capwright::lint
