// CAP505: control plane and pools that go to the next minor version in one change.
#include <algorithm>

#include "lint/engine/change_rule.h"
#include "lint/facts/machines.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::upgrade_at_once {
namespace {

// Clouds wait for their control plane by themselves.
constexpr std::string_view kKinds[] = {"KubeadmControlPlane", "RKE2ControlPlane", "KThreesControlPlane"};

// Whether new machines wait until the control plane is through: MachineSets check that, unless an annotation skips it.
bool waits(const Object& pool) {
  return pool.kind() == "MachineDeployment" &&
         !skips_preflight_check(pool.annotation(kSkippedPreflightChecks).text(), "ControlPlane");
}

void check_pools(const ClusterChange& change, const ControlPlaneStep& step, Report& report) {
  for (const std::string_view kind : {"MachineDeployment", "MachinePool"}) {
    for (const Object* pool : change.after->of_kind(kind)) {
      const Object* old = change.old_of(*pool);
      if (old == nullptr || control_plane_of_pool(*pool) != step.after) continue;
      const Node now = (*pool)["spec.template.spec.version"];
      const auto was = kubernetes_version((*old)["spec.template.spec.version"].text());
      const auto is = kubernetes_version(now.text());
      if (!was || !is || is->minor <= was->minor) continue;
      Finding& finding = report.at(now, "the pool goes to {} together with its control plane", is->minor_text())
                             .also((*step.after)["spec.version"], "the control plane");
      if (waits(*pool)) {
        finding.as(Severity::Note).note("its new machines wait until the API servers have that version");
        continue;
      }
      finding.note("its new machines don't wait until the API servers have that version");
      if (pool->kind() == "MachineDeployment") finding.help("remove `{}`, and they wait", kSkippedPreflightChecks);
      else finding.help("use two commits if pools have their own versions: the control plane first");
    }
  }
}

void check(const ClusterChange& change, Report& report) {
  for (const ControlPlaneStep& step : control_plane_steps(change)) {
    const bool orders_itself = std::find(std::begin(kKinds), std::end(kKinds), step.after->kind()) == std::end(kKinds);
    const bool is_next = step.minor_after == step.minor_before + 1;  // CAP504 is about others
    if (!orders_itself && is_next) check_pools(change, step, report);
  }
}

}  // namespace

CW_LINT_RULE(upgrade_at_once){
    .code = "CAP505",
    .name = "upgrade-at-once",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change that upgrades the control plane and a pool to the next minor version at once.

## Why is this bad?

A kubelet that is newer than its API server may fail to join. For MachineDeployments, Cluster API holds new machines back
until the control plane is upgraded, so the finding is a note. A MachinePool, or a pool with the annotation
`machineset.cluster.x-k8s.io/skip-preflight-checks`, doesn't wait: use two commits there, the control plane first.

Don't split the upgrade of kubeadm pools that wait: between the commits, such a pool doesn't scale, roll out or replace
failed machines (CAP516). Managed control planes keep the order by themselves. `capwright plan` checks the change against its
base.

## Example

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: prod}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.34.9}
---
kind: MachineDeployment
metadata: {name: general}
spec: {clusterName: prod, template: {spec: {version: v1.34.9}}}
---
kind: MachinePool
metadata: {name: spot}
spec: {clusterName: prod, template: {spec: {version: v1.34.9}}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: prod}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.35.2}
---
kind: MachineDeployment
metadata: {name: general}
spec:
  clusterName: prod
  template:
    spec:
      version: v1.35.2   # note: [upgrade-at-once] "goes to 1.35 together"
---
kind: MachinePool
metadata: {name: spot}
spec:
  clusterName: prod
  template:
    spec:
      version: v1.35.2   # warning: [upgrade-at-once] "goes to 1.35 together"
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: prod}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.35.2}
---
kind: MachineDeployment
metadata: {name: general}
spec: {clusterName: prod, template: {spec: {version: v1.34.9}}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: prod}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.35.3}
---
kind: MachineDeployment
metadata: {name: general}
spec: {clusterName: prod, template: {spec: {version: v1.35.3}}}
```
)md",
};

CW_CHANGE_RULE(upgrade_at_once, check);

}  // namespace capwright::lint::rules::upgrade_at_once
