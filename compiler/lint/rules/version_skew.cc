// CAP503: pools whose version is too far from that of their control plane.
#include <tuple>

#include "lint/engine/rule.h"
#include "lint/facts/machines.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::version_skew {
namespace {

constexpr int kMostBehind = 3;     // https://kubernetes.io/releases/version-skew-policy/
constexpr int kMostBehindAks = 2;  // what the service promises

// EKS' control planes have no patch: then patches can't be compared.
bool is_newer(const KubernetesVersion& pool, const KubernetesVersion& control_plane) {
  if (!control_plane.patch) return pool.minor > control_plane.minor;
  return std::tuple(pool.minor, pool.patch.value_or(0)) > std::tuple(control_plane.minor, *control_plane.patch);
}

void check(const Object& pool, Report& report) {
  const Object* control_plane = control_plane_of_pool(pool);
  if (control_plane == nullptr) return;
  const Node pool_node = pool["spec.template.spec.version"], plane_node = (*control_plane)["spec.version"];
  const auto version = kubernetes_version(pool_node.text()), plane = kubernetes_version(plane_node.text());
  if (!version || !plane) return;
  const int behind = plane->minor - version->minor;
  const bool is_aks = control_plane->kind().starts_with("Azure");
  if (is_newer(*version, *plane)) {
    report.at(pool_node, "{} is newer than the control plane's {}", pool_node.text(), plane_node.text())
        .also(plane_node, "the control plane")
        .help("upgrade the control plane first");
  } else if (behind > kMostBehind || (is_aks && behind > kMostBehindAks)) {
    Finding& finding = report
                           .at(pool_node, "{} is {} minor versions older than the control plane's {}", pool_node.text(),
                               behind, plane_node.text())
                           .also(plane_node, "the control plane")
                           .help("at most {} are supported", is_aks ? kMostBehindAks : kMostBehind);
    if (behind <= kMostBehind) finding.as(Severity::Warning);
  }
}

}  // namespace

CW_LINT_RULE(version_skew){
    .code = "CAP503",
    .name = "version-skew",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "MachineDeployment MachinePool",
    .docs = R"md(
## What it does

Reports a worker pool that is newer than its control plane, or too many minor versions older.

## Why is this bad?

A kubelet may be up to three minor versions older than the API server, and never newer; AKS supports two. Nodes outside these
limits may join and then fail in ways that are hard to diagnose.

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
kind: MachineDeployment
spec:
  clusterName: prod
  template:
    spec:
      version: v1.36.0   # error: [version-skew] "v1.36.0 is newer than the control plane's v1.35.2"
---
kind: MachineDeployment
spec:
  clusterName: prod
  template:
    spec:
      version: v1.31.9   # error: [version-skew] "v1.31.9 is 4 minor versions older than the control"
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: AWSManagedControlPlane, name: prod}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: AWSManagedControlPlane
metadata: {name: prod}
spec: {version: v1.35}
---
kind: MachinePool
spec: {clusterName: prod, template: {spec: {version: v1.35.7}}}
---
kind: MachinePool
spec: {clusterName: prod, template: {spec: {version: v1.32.0}}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::version_skew
