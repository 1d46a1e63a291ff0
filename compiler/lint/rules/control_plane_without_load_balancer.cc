// CAP402: several control planes without an address that survives the loss of one of them.
#include "lint/engine/rule.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::control_plane_without_load_balancer {
namespace {

void check(const Object& infrastructure, Report& report) {
  const Object* cluster = cluster_of(infrastructure);
  const Object* control_plane = cluster == nullptr ? nullptr : control_plane_of(*cluster);
  if (control_plane == nullptr) return;
  const Node replicas = (*control_plane)["spec.replicas"];
  const std::int64_t count = replicas.integer().value_or(1);
  if (count < 2 || has_api_load_balancer(infrastructure) || has_api_address(infrastructure)) return;
  report
      .at(api_load_balancer(infrastructure)["enabled"],
          "{} control planes have neither a load balancer nor a virtual IP", count)
      .also(replicas, "the number of control planes")
      .note("without either, the API only has the address of the first machine")
      .help(
          "set `apiServerLoadBalancer.enabled: true`, or `apiServerFixedIP` to an address that kube-vip or keepalived "
          "holds, with `disableAPIServerFloatingIP: true`");
}

}  // namespace

CW_LINT_RULE(control_plane_without_load_balancer){
    .code = "CAP402",
    .name = "control-plane-without-load-balancer",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "OpenStackCluster",
    .docs = R"md(
## What it does

Reports several control plane machines without a load balancer or virtual IP.

## Why is this bad?

The OpenStack provider then uses the address of the first control plane machine for the API. When that machine is replaced,
as in every upgrade, all kubeconfigs and kubelets of the cluster point to an address that is gone.

One of these is enough: `apiServerLoadBalancer.enabled: true` (Octavia); `apiServerFixedIP` with `disableAPIServerFloatingIP:
true`, for an address that kube-vip or keepalived moves between machines; `controlPlaneEndpoint.host`, for an external load
balancer.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  apiServerLoadBalancer:
    enabled: false   # error: [control-plane-without-load-balancer] "3 control planes"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
kind: OpenStackCluster
metadata: {name: prod}
spec: {apiServerLoadBalancer: {enabled: true}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::control_plane_without_load_balancer
