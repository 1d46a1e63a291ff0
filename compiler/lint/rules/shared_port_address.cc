// CAP606: ports of OpenStack machines with an address that another machine has at the same time.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::shared_port_address {
namespace {

// The limit of the autoscaler, which sets the number of machines.
constexpr std::string_view kMost = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";

// An address that only one machine of a template can have; absent if no port has one.
Node single_address(const Object& machines) {
  for (const Node port : machines["spec.template.spec.ports"].items()) {
    if (port["macAddress"]) return port["macAddress"];
    for (const Node fixed : port["fixedIPs"].items())
      if (fixed["ipAddress"]) return fixed["ipAddress"];
  }
  return {};
}

// Of a MachineDeployment in v1beta2 and v1beta1, and of a control plane.
Node strategy_of(const Object& owner) {
  for (const Path& path : {Path("spec.rollout.strategy"), Path("spec.strategy"), Path("spec.rolloutStrategy")})
    if (const Node strategy = owner[path]) return strategy;
  return {};
}

void check_rollout(const MachineSet& set, const Node& address, Report& report) {
  const Node strategy = strategy_of(*set.owner), surge = strategy["rollingUpdate.maxSurge"];
  if (strategy["type"].text() == "OnDelete" || surge.integer() == 0 || surge.text() == "0%") return;
  Finding& finding = report.at(address, "a rollout can't finish: the old machine still has `{}`", address.text());
  if (surge) finding.also(surge, "the rollout adds a machine before it removes one");
  else finding.also((*set.owner)["metadata.name"], "by default, the rollout adds a machine before it removes one");
  finding.note("the provider creates the port of the new machine, and Neutron rejects the address as in use");
  if (!set.is_control_plane) {
    finding.help("set `maxSurge: 0` and `maxUnavailable: 1`");
    return;
  }
  finding.help("remove the address: a control plane of one machine always adds one first").as(Severity::Warning);
}

void check(const Cluster& tree, Report& report) {
  for (const MachineSet& set : machine_sets(tree)) {
    if (set.machine_template == nullptr || set.machine_template->kind() != "OpenStackMachineTemplate") continue;
    const Node address = single_address(*set.machine_template);
    if (!address) continue;
    const Node most = set.owner->annotation(kMost);
    const auto replicas = set.replicas().value_or(1);
    if (replicas == 0 && !most) continue;
    if (replicas <= 1 && (!most || most.text() == "1")) {
      check_rollout(set, address, report);
      continue;
    }
    report.at(address, "only one machine can have `{}`", address.text())
        .also(most ? most : (*set.owner)["spec.replicas"], "the number of machines")
        .help("give each machine its own template, or set only the subnet");
  }
}

}  // namespace

CW_LINT_RULE(shared_port_address){
    .code = "CAP606",
    .name = "shared-port-address",
    .severity = Severity::Error,
    .since = "0.2",
    .docs = R"md(
## What it does

Reports an IP or MAC address in a port of an OpenStackMachineTemplate that several machines would have at the same time.

## Why is this bad?

All machines of a template get the same ports. Neutron rejects the second port with an address, so the second machine is never
created. This is also true during a rollout: with `maxSurge: 1`, Cluster API creates the new machine while the old one still
has the address, and waits forever. A control plane of one machine can only be rolled out this way, so the rule warns: the
cluster works until its first upgrade.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
---
kind: MachineDeployment
metadata: {name: prod-gateway}
spec:
  clusterName: prod
  replicas: 1
  rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}
  template: {spec: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod-gateway}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod-gateway}
spec:
  template:
    spec:
      ports:
        - fixedIPs:
            - ipAddress: 10.6.0.9   # error: [shared-port-address] "a rollout can't finish"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
---
kind: MachineDeployment
metadata: {name: prod-gateway}
spec:
  clusterName: prod
  replicas: 1
  rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}
  template: {spec: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod-gateway}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod-gateway}
spec: {template: {spec: {ports: [{fixedIPs: [{ipAddress: 10.6.0.9}]}]}}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::shared_port_address
