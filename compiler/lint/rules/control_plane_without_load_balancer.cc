// CAP402: several control planes, and no address that outlives one of them.
#include "lint/openstack.h"
#include "lint/rule.h"

namespace capwright::lint {
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
          "{} control planes need an address that outlives one of them, and there is neither load balancer nor virtual "
          "IP",
          count)
      .also(replicas, "so many control planes")
      .note("without either the API is at the address of the first machine alone")
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
Several control planes have no load balancer and no virtual IP.

Then OpenStack's provider gives the API the address of the first control plane machine. Others join, but nobody reaches them: when
the first is replaced, which every upgrade does, the kubeconfigs and the kubelets of the whole cluster point to nothing.

Enough is one of: `apiServerLoadBalancer.enabled: true` (Octavia); `apiServerFixedIP` with `disableAPIServerFloatingIP: true`, an
address that kube-vip or keepalived moves between the machines, which isn't read beside a floating IP;
`controlPlaneEndpoint.host`, somebody else's load balancer.

## Invalid

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

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {replicas: 5}
---
kind: OpenStackCluster
metadata: {name: prod}
spec: {apiServerFixedIP: 10.6.0.5}   # error: [control-plane-without-load-balancer] "5 control planes"
```

## Valid

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

```yaml
kind: Cluster
metadata: {name: lab}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: lab}
  infrastructureRef: {kind: OpenStackCluster, name: lab}
---
kind: KubeadmControlPlane
metadata: {name: lab}
spec: {replicas: 1}
---
kind: OpenStackCluster
metadata: {name: lab}
spec: {apiServerLoadBalancer: {enabled: false}}
```

```yaml
kind: Cluster
metadata: {name: site}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: site}
  infrastructureRef: {kind: OpenStackCluster, name: site}
---
kind: KubeadmControlPlane
metadata: {name: site}
spec: {replicas: 3}
---
kind: OpenStackCluster
metadata: {name: site}
spec: {apiServerFixedIP: 10.6.0.5, disableAPIServerFloatingIP: true}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint
