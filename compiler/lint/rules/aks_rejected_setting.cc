// CAP615: settings of embedded AKS resources that contradict each other. No schema sees them; only Azure rejects them.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::aks_rejected_setting {
namespace {

constexpr std::size_t kWindowsName = 6;  // Azure's limit for the name of a Windows pool

void check_network(const Node& profile, Report& report) {
  const Node plugin = profile["networkPlugin"], mode = profile["networkPluginMode"];
  const Node policy = profile["networkPolicy"], dataplane = profile["networkDataplane"];
  if (mode.text() == "overlay" && plugin && plugin.text() != "azure")
    report.at(mode, "the network plug-in `{}` has no overlay mode", plugin.text())
        .also(plugin, "the plug-in")
        .help("set `networkPlugin: azure`, or leave `networkPluginMode` out");
  if (policy.text() == "cilium" && dataplane.text() != "cilium")
    report.at(policy, "Cilium's network policies need Cilium's data plane")
        .also(dataplane, "the data plane")
        .help("set `networkDataplane: cilium`");
  if (dataplane.text() == "cilium" && policy && policy.text() != "cilium")
    report.at(policy, "Cilium's data plane doesn't support the network policies `{}`", policy.text())
        .also(dataplane, "the data plane")
        .help("set `networkPolicy: cilium`");
}

void check_windows(const Node& pool, const Node& profile, Report& report) {
  const Node name = pool["spec.azureName"], mode = pool["spec.mode"], dataplane = profile["networkDataplane"];
  if (name.text().size() > kWindowsName)
    report
        .at(name, "the name `{}` of this Windows pool has {} characters; Azure allows {}", name.text(),
            name.text().size(), kWindowsName)
        .also(pool["spec.osType"], "Windows")
        .help("use a shorter name");
  if (mode.text() == "System")
    report.at(mode, "a Windows pool can't have `mode: System`")
        .also(pool["spec.osType"], "Windows")
        .help("set `mode: User`");
  if (dataplane.text() == "cilium")
    report.at(pool["spec.osType"], "Cilium's data plane doesn't support Windows nodes")
        .also(dataplane, "the data plane")
        .help("set `networkDataplane: azure` and another network policy");
}

void check_pool(const Node& pool, const Node& profile, Report& report) {
  if (pool["spec.osType"].text() == "Windows") check_windows(pool, profile, report);
  const Node priority = pool["spec.scaleSetPriority"], mode = pool["spec.mode"];
  if (priority.text() == "Spot" && mode.text() == "System")
    report.at(priority, "a pool with `mode: System` can't have spot machines")
        .also(mode, "the mode")
        .help("set `mode: User`");
  const Node outbound = profile["outboundType"], subnet = pool["spec.vnetSubnetReference"];
  if (outbound.text() == "managedNATGateway" && subnet)
    report.at(outbound, "AKS creates a NAT gateway only in a network that it creates")
        .also(subnet, "the subnet of a pool")
        .help("set `outboundType: userAssignedNATGateway` or `loadBalancer`");
  const Node pods = pool["spec.podSubnetReference"], overlay = profile["networkPluginMode"];
  if (pods && overlay.text() == "overlay")
    report.at(pods, "pods of an overlay network don't have a subnet")
        .also(overlay, "the pod network")
        .help("leave `networkPluginMode` or `podSubnetReference` out");
}

void check(const Cluster& tree, Report& report) {
  for (const Object* object : tree.of_kind("AzureASOManagedControlPlane"))
    check_network(azure_resource(*object, "ManagedCluster")["spec.networkProfile"], report);
  for (const Object* machines : tree.of_kind("MachinePool")) {
    const Object* pool = object_at(*machines, (*machines)["spec.template.spec.infrastructureRef"]);
    const Object* control_plane = control_plane_of_pool(*machines);
    if (pool == nullptr || pool->kind() != "AzureASOManagedMachinePool" || control_plane == nullptr) continue;
    check_pool(azure_resource(*pool, "ManagedClustersAgentPool"),
               azure_resource(*control_plane, "ManagedCluster")["spec.networkProfile"], report);
  }
}

}  // namespace

CW_LINT_RULE(aks_rejected_setting){
    .code = "CAP615",
    .name = "aks-rejected-setting",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports settings of AKS resources that contradict each other: network plug-in, data plane, policies and outbound type of the
cluster, and the operating system, mode and subnets of its pools.

## Why is this bad?

The API server accepts every field of a resource in `spec.resources`. Azure rejects the combination later, at each attempt, and
the error is only in the status of the resource.

## Example

```yaml
kind: AzureASOManagedControlPlane
metadata: {name: prod}
spec:
  resources:
    - kind: ManagedCluster
      metadata: {name: prod}
      spec:
        networkProfile:
          networkPlugin: azure
          networkPolicy: cilium   # error: [aks-rejected-setting] "need Cilium's data plane"
```

## Use instead

```yaml
kind: AzureASOManagedControlPlane
metadata: {name: prod}
spec:
  resources:
    - kind: ManagedCluster
      metadata: {name: prod}
      spec: {networkProfile: {networkPlugin: azure, networkPluginMode: overlay, networkPolicy: cilium, networkDataplane: cilium}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::aks_rejected_setting
