// CAP516: pools of kubeadm that are behind their control plane by a minor version.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::kubeadm_pool_skew {
namespace {

constexpr int kMostBehind = 3;  // CAP503 reports a larger skew and pools that are ahead

void check(const Object& pool, Report& report) {
  if (pool["spec.template.spec.bootstrap.configRef.kind"].text() != "KubeadmConfigTemplate") return;
  if (skips_preflight_check(pool.annotation(kSkippedPreflightChecks).text(), "KubeadmVersionSkew")) return;
  const Object* control_plane = control_plane_of_pool(pool);
  if (control_plane == nullptr) return;
  const Node written = pool["spec.template.spec.version"], wanted = (*control_plane)["spec.version"];
  const auto version = kubernetes_version(written.text()), plane = kubernetes_version(wanted.text());
  if (!version || !plane || version->minor >= plane->minor || plane->minor - version->minor > kMostBehind) return;
  report.at(written, "the pool has {}, but its control plane has {}", version->minor_text(), plane->minor_text())
      .also(wanted, "the control plane")
      .note(
          "kubeadm joins only machines of the control plane's minor version: until then Cluster API makes no machine "
          "of the pool, so it neither grows, rolls out nor replaces failed machines")
      .help("set the pool's version to {}", plane->minor_text());
}

}  // namespace

CW_LINT_RULE(kubeadm_pool_skew){
    .code = "CAP516",
    .name = "kubeadm-pool-skew",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "MachineDeployment",
    .docs = R"md(
## What it does

Reports a pool that kubeadm joins and whose minor version differs from its control plane's.

## Why is this bad?

Cluster API checks this before it creates a machine (preflight check `KubeadmVersionSkew`). While the minor versions differ,
the pool doesn't scale, doesn't roll out, and failed machines aren't replaced. Running machines stay. Upgrade the pool
together with its control plane: Cluster API holds new machines back until the control plane is upgraded.

## Example

```yaml
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
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-general}
spec:
  clusterName: prod
  template:
    spec:
      version: v1.34.9   # error: [kubeadm-pool-skew] "the pool has 1.34"
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: general}}
```

## Use instead

```yaml
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
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-general}
spec:
  clusterName: prod
  template:
    spec:
      version: v1.35.1
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: general}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::kubeadm_pool_skew
