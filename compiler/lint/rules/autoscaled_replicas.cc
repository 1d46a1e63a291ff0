// CAP408: pools that are scaled by another component, and settings that contradict it.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/cluster_addons.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::autoscaled_replicas {
namespace {

constexpr std::string_view kLeast = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
constexpr std::string_view kMost = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
constexpr std::string_view kManagedBy = "cluster.x-k8s.io/replicas-managed-by";
constexpr std::string_view kAutoscaler = "cluster-autoscaler";  // its chart, and its id in the catalogue

// Whether the Application ignores the replicas of such pools when it syncs.
bool is_ignored_by_argo_cd(const Object& pool) {
  for (const Object* application : pool.cluster().of_kind("Application")) {
    for (const Node difference : (*application)["spec.ignoreDifferences"].items()) {
      if (difference["kind"].text() != pool.kind()) continue;
      for (const Node pointer : difference["jsonPointers"].items()) {
        if (pointer.text() == "/spec/replicas") return true;
      }
    }
  }
  return false;
}

void check_limits(const Object& pool, const Node& least, const Node& most, Report& report) {
  if (least.exists() != most.exists()) {
    const Node there = least ? least : most;
    report.at(there, "the cluster autoscaler ignores a pool with only one of the two limits")
        .help("add the annotation `{}`", least ? kMost : kLeast);
    return;
  }
  const auto lowest = whole_number(least.written()), highest = whole_number(most.written());
  for (const Node& node : {least, most}) {
    if (node && !whole_number(node.written()))
      report.at(node, "the limit `{}` isn't a number", node.written())
          .help("write a number of machines, such as \"3\"");
  }
  if (!lowest || !highest) return;
  if (*lowest > *highest)
    report.at(least, "the minimum of machines, {}, is above the maximum, {}", *lowest, *highest).also(most, "the most");
  const auto replicas = pool["spec.replicas"].integer();
  if (replicas && *lowest <= *highest && (*replicas < *lowest || *replicas > *highest))
    report
        .at(pool["spec.replicas"], "{} machines are outside the autoscaler's limits, {} to {}", *replicas, *lowest,
            *highest)
        .also(least, "the least");
}

// A pool of AKS with autoscaling enabled.
Node scaling_node_pool(const Object& pool) {
  const Object* machines = object_at(pool, pool["spec.template.spec.infrastructureRef"]);
  if (machines == nullptr) return {};
  for (const Node resource : (*machines)["spec.resources"].items()) {
    if (resource["spec.enableAutoScaling"].is_true()) return resource["spec.enableAutoScaling"];
  }
  return {};
}

void check_cloud_limits(const Object& pool, Report& report) {
  const Object* machines = object_at(pool, pool["spec.template.spec.infrastructureRef"]);
  const Node replicas = pool["spec.replicas"];
  if (machines == nullptr || machines->kind() != "AWSManagedMachinePool" || !replicas.integer()) return;
  const Node least = (*machines)["spec.scaling.minSize"], most = (*machines)["spec.scaling.maxSize"];
  const std::int64_t count = *replicas.integer();
  if (least.integer() && count < *least.integer())
    report.at(replicas, "{} machines are fewer than the node group's minimum, {}", count, *least.integer())
        .also(least, "AWS rejects a smaller size");
  if (most.integer() && count > *most.integer())
    report.at(replicas, "{} machines are more than the node group's maximum, {}", count, *most.integer())
        .also(most, "AWS rejects a larger size");
}

bool has_addons(const Cluster& cluster) {
  const auto applications = cluster.of_kind("Application");
  return std::any_of(applications.begin(), applications.end(),
                     [](const Object* application) { return addon_of(*application) != nullptr; });
}

// If the tree's add-ons are known, one of them must scale the pool.
void check_scaler(const Object& pool, const Node& limit, Report& report) {
  if (!limit || find_chart(pool.cluster(), kAutoscaler) != nullptr || !has_addons(pool.cluster())) return;
  report.at(limit, "no add-on scales this pool")
      .note("without a cluster autoscaler, the number of machines never changes")
      .help("add `{}` to the add-ons, or set the number of machines", kAutoscaler)
      .as(Severity::Note);
}

bool has_limits(const Node& pools) {
  for (const Node pool : pools.items()) {
    for (const auto& [key, value] : pool["metadata.annotations"].members()) {
      if (key == kMost || key == kManagedBy) return true;
    }
  }
  return false;
}

// Whether a pool of the Cluster's topology may have limits, which a class outside of the tree can set.
bool may_scale_topology(const Object& cluster) {
  const Node topology = cluster["spec.topology"];
  if (!topology) return false;
  const Node workers = topology["workers"];
  const Node name = topology["classRef"]["name"];
  const Objects classes = cluster.cluster().named("ClusterClass", cluster.space(), name.text());
  return classes.empty() || has_limits(workers["machineDeployments"]) || has_limits(workers["machinePools"]);
}

// Reports a cluster autoscaler when no pool has limits for it.
void check_autoscaler(const Object& application, Report& report) {
  const values::Addon* addon = addon_of(application);
  if (addon == nullptr || addon->id != kAutoscaler) return;
  for (const std::string_view kind : {"MachineDeployment", "MachinePool", "MachineSet"}) {
    for (const Object* pool : application.cluster().of_kind(kind)) {
      if (pool->annotation(kMost) || pool->annotation(kManagedBy)) return;
    }
  }
  for (const Object* cluster : application.cluster().of_kind("Cluster")) {
    if (may_scale_topology(*cluster)) return;
  }
  report.at(application, "the cluster autoscaler has no pool to scale")
      .help("give a pool `autoscaling`, or remove the add-on")
      .as(Severity::Note);
}

void check(const Object& pool, Report& report) {
  if (is_application(pool)) return check_autoscaler(pool, report);
  const Node least = pool.annotation(kLeast), most = pool.annotation(kMost), managed_by = pool.annotation(kManagedBy);
  const Node replicas = pool["spec.replicas"];
  const Node by_aks = scaling_node_pool(pool);
  if (by_aks && managed_by && managed_by.text() != "aks")
    report.at(managed_by, "AKS scales this pool, but the annotation names `{}`", managed_by.text())
        .also(by_aks, "AKS scales it")
        .help("remove the annotation: the provider sets it itself");
  Node by_cloud = managed_by;
  if (by_aks) by_cloud = by_aks;
  else if (managed_by.text() == "false") by_cloud = Node();
  const bool has_setter = (least && most) || by_cloud;
  if (replicas && has_setter && !is_ignored_by_argo_cd(pool)) {
    if (least && most) {
      report
          .at(replicas, "an autoscaler sets the number of machines, and each sync resets it to {}", replicas.written())
          .also(most, "the autoscaler's limit")
          .help("leave `spec.replicas` out");
      return;
    }
    if (by_cloud)
      report
          .at(replicas, "the cloud sets the number of machines, and this field follows it: it won't stay {}",
              replicas.written())
          .also(by_cloud, "what sets it")
          .note("the Application is then never Synced")
          .help("leave `spec.replicas` out")
          .as(Severity::Note);
  }
  check_limits(pool, least, most, report);
  Node scaled;
  if (least) scaled = most;
  else if (managed_by.text() == "external-autoscaler" && !by_aks) scaled = managed_by;
  check_scaler(pool, scaled, report);
  check_cloud_limits(pool, report);
}

}  // namespace

CW_LINT_RULE(autoscaled_replicas){
    .code = "CAP408",
    .name = "autoscaled-replicas",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "MachineDeployment MachinePool MachineSet Application",
    .docs = R"md(
## What it does

Reports `replicas` of a pool whose size is controlled by an autoscaler or a cloud.

## Why is this bad?

The cluster autoscaler finds pools by two annotations, minimum and maximum, and needs both. It writes `spec.replicas`. If Git
sets that field as well, each sync resets the number: machines are deleted under load and created again. Where a cloud scales
a pool (AKS with `enableAutoScaling`, others with `cluster.x-k8s.io/replicas-managed-by`), the field only stays different
from Git (note). An Application whose `ignoreDifferences` has `/spec/replicas` of that kind is fine.

Limits without a cluster autoscaler among the add-ons, and an autoscaler without a pool that has limits, are notes.

## Example

```yaml
kind: MachineDeployment
metadata:
  name: general
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "3"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "10"
spec: {replicas: 3}   # error: [autoscaled-replicas] "an autoscaler sets the number of machines, and each sync"
```

## Use instead

```yaml
kind: MachineDeployment
metadata:
  name: general
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "3"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "10"
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-autoscaler}
spec: {source: {chart: cluster-autoscaler}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::autoscaled_replicas
