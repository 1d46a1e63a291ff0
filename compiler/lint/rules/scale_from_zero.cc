// CAP413: empty pools that the cluster autoscaler can't fill.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::scale_from_zero {
namespace {

constexpr std::string_view kLeast = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
constexpr std::string_view kCpu = "capacity.cluster-autoscaler.kubernetes.io/cpu";
constexpr std::string_view kMemory = "capacity.cluster-autoscaler.kubernetes.io/memory";
constexpr std::string_view kTaints = "capacity.cluster-autoscaler.kubernetes.io/taints";

// Machine templates whose provider doesn't report `status.capacity` (capz v1.26, capoci v0.24).
bool reports_no_capacity(std::string_view kind) {
  return kind == "AzureMachineTemplate" || kind == "OCIMachineTemplate";
}

void check_pool(const MachineSet& set, Report& report) {
  const Object& pool = *set.owner;
  const Node least = pool.annotation(kLeast);
  if (least.written() != "0") return;
  const bool has_capacity = pool.annotation(kCpu) && pool.annotation(kMemory);
  if (!has_capacity && set.machine_template != nullptr && reports_no_capacity(set.machine_template->kind())) {
    report.at(least, "the autoscaler doesn't know what a machine of this pool has, so it never adds the first one")
        .also(*set.machine_template, "the provider doesn't report the capacity of this template")
        .help("add the annotations `{}` and `{}`", kCpu, kMemory);
  }
  const Object* bootstrap = object_at(pool, set.bootstrap);
  if (bootstrap == nullptr || pool.annotation(kTaints)) return;
  const Node taints = (*bootstrap)["spec.template.spec.joinConfiguration.nodeRegistration.taints"];
  if (taints.size() == 0) return;
  report.at(least, "the autoscaler doesn't know the taints of this pool while it is empty")
      .also(taints, "its nodes have these")
      .note("it adds machines for pods that then can't run on them")
      .help("add the annotation `{}`, such as \"gpu=true:NoSchedule\"", kTaints);
}

void check(const Cluster& tree, Report& report) {
  for (const MachineSet& set : machine_sets(tree)) {
    if (!set.is_control_plane) check_pool(set, report);
  }
}

}  // namespace

CW_LINT_RULE(scale_from_zero){
    .code = "CAP413",
    .name = "scale-from-zero",
    .severity = Severity::Warning,
    .since = "0.2",
    .docs = R"md(
## What it does

Reports a pool with a minimum of 0 whose capacity or taints the cluster autoscaler can't find out.

## Why is this bad?

The autoscaler simulates whether a waiting pod would fit on a new machine. For an empty pool, it has only annotations and what
the provider reports of the machine template. The providers for Azure and Oracle Cloud report nothing, so the pool stays
empty. No provider reports the taints of nodes.

With the built-in template sets, `flavors` or `worker_pools[].autoscaling.capacity` sets the capacity; labels and taints
follow.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: prod-gpu
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "0"   # warning: [scale-from-zero] "never adds the first one"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "4"
spec:
  clusterName: prod
  template: {spec: {infrastructureRef: {kind: AzureMachineTemplate, name: prod-gpu}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachineTemplate
metadata: {name: prod-gpu}
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: prod-gpu
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "0"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "4"
    capacity.cluster-autoscaler.kubernetes.io/cpu: "24"
    capacity.cluster-autoscaler.kubernetes.io/memory: 220Gi
spec:
  clusterName: prod
  template: {spec: {infrastructureRef: {kind: AzureMachineTemplate, name: prod-gpu}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachineTemplate
metadata: {name: prod-gpu}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::scale_from_zero
