// CAP611: the resources of Azure Service Operator inside AKS manifests, which no schema looks into.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::aks_resource_mismatch {
namespace {

constexpr std::string_view kCredential = "serviceoperator.azure.com/credential-from";

// A field that the provider sets itself, and another field that it takes the value from.
void check_owned(const Node& field, const Node& source, bool may_lack_v, Report& report) {
  if (!field || !source) return;
  const std::string owned = field.written();
  std::string wanted = source.written();
  if (may_lack_v && wanted.starts_with('v')) wanted.erase(0, 1);
  if (owned == wanted || owned == source.written()) return;
  report.at(field, "the provider sets this from `{}`, which is {}; here it is {}", source.path(), wanted, owned)
      .also(source, "what it is set from")
      .note("the provider stops while the two differ")
      .help("leave it out");
}

void check_owner(const Node& resource, std::string_view wanted, std::string_view kind, Report& report) {
  const Node owner = resource["spec.owner.name"];
  if (wanted.empty() || owner.text() == wanted || resource["spec.owner.armId"]) return;
  report.at(owner, "the owner `{}` is not the {}, which is `{}`", owner.text(), kind, wanted)
      .note("its operator waits for an owner that doesn't exist")
      .help("write `{}`", wanted)
      .fix(owner, std::string(wanted), Safety::Unsafe, "name the existing owner");
}

void check_control_plane(const Object& object, Report& report) {
  const Node managed = azure_resource(object, "ManagedCluster");
  if (!managed) {
    report.at(object["spec.resources"], "the resources contain no ManagedCluster, so no AKS cluster is created")
        .help("add a ManagedCluster of `containerservice.azure.com`");
    return;
  }
  if (const Node pools = managed["spec.agentPoolProfiles"])
    report.at(pools, "the provider writes `agentPoolProfiles` itself, from the machine pools")
        .note("it rejects a ManagedCluster that has them")
        .help("leave it out, and add a MachinePool for each");
  check_owned(managed["spec.kubernetesVersion"], object["spec.version"], true, report);
  const Object* cluster = cluster_of(object);
  if (cluster == nullptr) return;
  const Object& owner = *cluster;
  check_owned(managed["spec.networkProfile.podCidr"], owner["spec.clusterNetwork.pods.cidrBlocks[0]"], false, report);
  check_owned(managed["spec.networkProfile.serviceCidr"], owner["spec.clusterNetwork.services.cidrBlocks[0]"], false,
              report);
  const Object* infrastructure = infrastructure_of(owner);
  if (infrastructure != nullptr)
    check_owner(managed, azure_resource(*infrastructure, "ResourceGroup")["metadata.name"].text(), "ResourceGroup",
                report);
}

const Object* pool_of(const Object& machines) {
  for (const Object* pool : machines.cluster().of_kind("MachinePool")) {
    if (object_at(*pool, (*pool)["spec.template.spec.infrastructureRef"]) == &machines) return pool;
  }
  return nullptr;
}

void check_pool(const Object& object, Report& report) {
  const Node nodes = azure_resource(object, "ManagedClustersAgentPool");
  if (!nodes) {
    report.at(object["spec.resources"], "the resources contain no ManagedClustersAgentPool, so no nodes are created")
        .help("add a ManagedClustersAgentPool of `containerservice.azure.com`");
    return;
  }
  const Object* pool = pool_of(object);
  if (pool == nullptr) return;
  check_owned(nodes["spec.orchestratorVersion"], (*pool)["spec.template.spec.version"], true, report);
  check_owned(nodes["spec.count"], (*pool)["spec.replicas"], false, report);
  if (const Object* control_plane = control_plane_of_pool(*pool))
    check_owner(nodes, azure_resource(*control_plane, "ManagedCluster")["metadata.name"].text(), "ManagedCluster",
                report);
}

// A namespace may have one credential for all of its resources.
bool has_common_credential(const Cluster& tree) {
  for (const Object* object : tree.objects()) {
    if (object->name() == "aso-credential") return true;
  }
  return false;
}

void check_credentials(const Object& object, Report& report) {
  for (const Node resource : object["spec.resources"].items()) {
    const Node annotations = resource["metadata.annotations"];
    if (annotations.member(kCredential) || has_common_credential(object.cluster())) continue;
    report.at(resource["metadata.name"], "no credential is configured for this resource")
        .note("without a credential of the namespace or of the operator, it isn't created")
        .help("add the annotation `{}` with the name of a Secret", kCredential);
  }
}

void check_system_pools(const Cluster& tree, Report& report) {
  for (const Object* cluster : tree.of_kind("Cluster")) {
    const Object* control_plane = control_plane_of(*cluster);
    if (control_plane == nullptr || control_plane->kind() != "AzureASOManagedControlPlane") continue;
    Node mode;
    for (const Object* pool : tree.of_kind("MachinePool")) {
      const Object* machines = object_at(*pool, (*pool)["spec.template.spec.infrastructureRef"]);
      if (machines == nullptr || named_cluster(*pool) != cluster) continue;
      mode = azure_resource(*machines, "ManagedClustersAgentPool")["spec.mode"];
      if (mode.text() == "System") break;
    }
    if (mode.text() == "System") continue;
    report.at(*control_plane, "no pool of this cluster has `mode: System`")
        .note("AKS runs its own pods there, and rejects a cluster without such a pool")
        .help("set `mode: System` in a ManagedClustersAgentPool");
  }
}

void check(const Cluster& tree, Report& report) {
  for (const std::string_view kind :
       {"AzureASOManagedCluster", "AzureASOManagedControlPlane", "AzureASOManagedMachinePool"}) {
    for (const Object* object : tree.of_kind(kind)) {
      check_credentials(*object, report);
      if (kind == "AzureASOManagedControlPlane") check_control_plane(*object, report);
      if (kind == "AzureASOManagedMachinePool") check_pool(*object, report);
    }
  }
  check_system_pools(tree, report);
}

}  // namespace

CW_LINT_RULE(aks_resource_mismatch){
    .code = "CAP611",
    .name = "aks-resource-mismatch",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports AKS resources that are incomplete, or that contradict the object that contains them.

## Why is this bad?

`AzureASOManagedControlPlane` and similar kinds contain resources of Azure Service Operator, which the API server doesn't
validate. Cluster API's provider sets some of their fields: `kubernetesVersion` and `orchestratorVersion`, `count`, the
networks of pods and services, `agentPoolProfiles`. If such a field is set and differs, the provider stops.

Needed are a ManagedCluster, one agent pool in each MachinePool, one with `mode: System` in the cluster, the right owner of
each, and a credential: by annotation, or a Secret `aso-credential` in the namespace.

## Example

```yaml
kind: AzureASOManagedControlPlane
metadata: {name: prod}
spec:
  version: v1.35.2
  resources:
    - kind: ManagedCluster
      metadata: {name: prod, annotations: {serviceoperator.azure.com/credential-from: azure}}
      spec:
        kubernetesVersion: 1.34.1   # error: [aks-resource-mismatch] "which is 1.35.2; here it is 1.34.1"
        agentPoolProfiles:   # error: [aks-resource-mismatch] "from the machine pools"
          - {name: system}
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: AzureASOManagedControlPlane, name: prod}}
---
kind: AzureASOManagedControlPlane
metadata: {name: prod}
spec:
  version: v1.35.2
  resources:
    - kind: ManagedCluster
      metadata: {name: prod, annotations: {serviceoperator.azure.com/credential-from: azure}}
      spec: {kubernetesVersion: 1.35.2}
---
kind: MachinePool
metadata: {name: system}
spec:
  clusterName: prod
  replicas: 3
  template: {spec: {infrastructureRef: {kind: AzureASOManagedMachinePool, name: system}}}
---
kind: AzureASOManagedMachinePool
metadata: {name: system}
spec:
  resources:
    - kind: ManagedClustersAgentPool
      metadata: {name: system, annotations: {serviceoperator.azure.com/credential-from: azure}}
      spec: {owner: {name: prod}, mode: System, count: 3}
```

## Fix

Unsafe: names the owner that exists.
)md",
    .fixes = Safety::Unsafe,
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::aks_resource_mismatch
