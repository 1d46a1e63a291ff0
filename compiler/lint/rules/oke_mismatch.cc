// CAP613: parts of an OKE cluster that don't fit each other; nothing checks them before Oracle does.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::oke_mismatch {
namespace {

constexpr std::string_view kNative = "OCI_VCN_IP_NATIVE";

// The provider defaults to kNative.
std::string_view cni_of(const Node& type) { return type.text().empty() ? kNative : type.text(); }

bool has_role(const Node& subnets, std::string_view role) {
  for (const Node subnet : subnets.items()) {
    if (subnet["role"].text() == role) return true;
  }
  return false;
}

void check_control_plane(const Object& object, Report& report) {
  if (const Node addons = object["spec.addons"];
      addons.size() != 0 && object["spec.clusterType"].text() != "ENHANCED_CLUSTER")
    report.at(addons, "add-ons of OKE need an enhanced cluster")
        .also(object["spec.clusterType"], "a basic one")
        .help("set `clusterType: ENHANCED_CLUSTER`, or leave `addons` out");
  const Object* cluster = cluster_of(object);
  const Object* infrastructure = cluster == nullptr ? nullptr : infrastructure_of(*cluster);
  if (infrastructure == nullptr) return;
  const Node type = object["spec.clusterPodNetworkOptions[0].cniType"];
  const Node subnets = (*infrastructure)["spec.networkSpec.vcn.subnets"];
  if (cni_of(type) == kNative && subnets.size() != 0 && !has_role(subnets, "pod"))
    report.at(subnets, "pods get addresses of the network, but no subnet has the role `pod`")
        .also(type, "where pods get their addresses")
        .help("add a subnet with the role `pod`, or use `FLANNEL_OVERLAY`");
}

void check_shape(const Object& object, Report& report) {
  const Node shape = object["spec.nodeShape"], config = object["spec.nodeShapeConfig"];
  const bool is_flexible = shape.text().ends_with(".Flex");
  if (is_flexible && !config["ocpus"])
    report.at(config["ocpus"], "the shape `{}` has no size of its own", shape.text())
        .also(shape, "the shape")
        .help("set `nodeShapeConfig.ocpus` and `memoryInGBs`");
  else if (!shape.text().empty() && !is_flexible && config)
    report.at(config, "the shape `{}` has a fixed size", shape.text())
        .also(shape, "the shape")
        .help("leave `nodeShapeConfig` out, or use a shape that ends in `.Flex`");
}

void check_pool(const Object& object, Report& report) {
  check_shape(object, report);
  for (const Object* pool : object.cluster().of_kind("MachinePool")) {
    if (object_at(*pool, (*pool)["spec.template.spec.infrastructureRef"]) != &object) continue;
    const Node version = object["spec.version"], wanted = (*pool)["spec.template.spec.version"];
    if (version && wanted && version.text() != wanted.text())
      report.at(version, "the node pool has {}, but its MachinePool has {}", version.text(), wanted.text())
          .also(wanted, "the MachinePool's")
          .note("OKE uses the first, and Cluster API reports the second")
          .help("write the same version in both");
    const Object* control_plane = control_plane_of_pool(*pool);
    if (control_plane == nullptr) continue;
    const Node here = object["spec.nodePoolNodeConfig.nodePoolPodNetworkOptionDetails.cniType"];
    const Node there = (*control_plane)["spec.clusterPodNetworkOptions[0].cniType"];
    if (cni_of(here) == cni_of(there)) continue;
    report.at(here, "the pool's pods use {}, but the cluster's use {}", cni_of(here), cni_of(there))
        .also(there, "the cluster's")
        .help("use the same value in both");
  }
}

void check(const Object& object, Report& report) {
  if (object.kind() == "OCIManagedControlPlane") return check_control_plane(object, report);
  if (object.kind() == "OCIManagedMachinePool") return check_pool(object, report);
  if (!object["spec"].is(Kind::Map) || object["spec.allowedNamespaces"]) return;
  report.at(object["spec.allowedNamespaces"], "no namespace may use this identity")
      .note("an absent `allowedNamespaces` allows no namespace")
      .help("list the clusters' namespaces, or set `allowedNamespaces: {{}}` for all");
}

}  // namespace

CW_LINT_RULE(oke_mismatch){
    .code = "CAP613",
    .name = "oke-mismatch",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "OCIManagedControlPlane OCIManagedMachinePool OCIClusterIdentity",
    .docs = R"md(
## What it does

Reports parts of an OKE cluster that contradict each other.

## Why is this bad?

The provider's webhooks validate each object alone. These contradictions are only reported by Oracle's API, while the cluster
is being created.

* The pool and the cluster use different pod network plug-ins. The provider's default is `OCI_VCN_IP_NATIVE`.
* Native pod networking has no subnet with the role `pod`.
* A shape that ends in `.Flex` has no `nodeShapeConfig`, or another shape has one.
* A basic cluster has OKE add-ons.
* `version` of the node pool differs from its MachinePool.
* `OCIClusterIdentity` has no `allowedNamespaces`, so no cluster may use it.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: OCIManagedControlPlane, name: prod}
  infrastructureRef: {kind: OCIManagedCluster, name: prod}
---
kind: OCIManagedCluster
metadata: {name: prod}
spec:
  networkSpec:
    vcn:
      subnets:   # error: [oke-mismatch] "no subnet has the role `pod`"
        - {role: worker, cidr: 10.0.64.0/20}
---
kind: OCIManagedControlPlane
metadata: {name: prod}
spec:
  clusterPodNetworkOptions: [{cniType: OCI_VCN_IP_NATIVE}]
  addons:   # error: [oke-mismatch] "need an enhanced cluster"
    - {name: CertManager}
---
kind: MachinePool
metadata: {name: general}
spec:
  clusterName: prod
  template: {spec: {version: v1.34.2, infrastructureRef: {kind: OCIManagedMachinePool, name: general}}}
---
kind: OCIManagedMachinePool
metadata: {name: general}
spec:   # error: [oke-mismatch] "has no size of its own"
  version: v1.33.5   # error: [oke-mismatch] "the node pool has v1.33.5, but its MachinePool has v1.34.2"
  nodeShape: VM.Standard.E5.Flex
  nodePoolNodeConfig:
    nodePoolPodNetworkOptionDetails:
      cniType: FLANNEL_OVERLAY   # error: [oke-mismatch] "the pool's pods use FLANNEL_OVERLAY"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: OCIManagedControlPlane, name: prod}
  infrastructureRef: {kind: OCIManagedCluster, name: prod}
---
kind: OCIManagedCluster
metadata: {name: prod}
spec: {networkSpec: {vcn: {subnets: [{role: worker}, {role: pod}]}}}
---
kind: OCIManagedControlPlane
metadata: {name: prod}
spec: {clusterType: ENHANCED_CLUSTER, addons: [{name: CertManager}]}
---
kind: MachinePool
metadata: {name: general}
spec:
  clusterName: prod
  template: {spec: {version: v1.34.2, infrastructureRef: {kind: OCIManagedMachinePool, name: general}}}
---
kind: OCIManagedMachinePool
metadata: {name: general}
spec: {version: v1.34.2, nodeShape: VM.Standard.E5.Flex, nodeShapeConfig: {ocpus: "4", memoryInGBs: "32"}}
---
kind: OCIClusterIdentity
metadata: {name: prod}
spec: {type: InstancePrincipal, allowedNamespaces: {}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::oke_mismatch
