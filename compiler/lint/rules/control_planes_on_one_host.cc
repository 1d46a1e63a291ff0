// CAP406: control planes that OpenStack may place on one hypervisor.
#include "lint/engine/rule.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::control_planes_on_one_host {
namespace {

// The ServerGroup with this name in OpenStack; null when it isn't in the tree.
const Object* group_named(const Cluster& tree, std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Object* group : tree.of_kind("ServerGroup")) {
    const std::string_view given = (*group)["spec.resource.name"].text();
    if ((given.empty() ? group->name() : given) == name) return group;
  }
  return nullptr;
}

void check_machines(const MachineSet& set, Report& report) {
  const Object& machines = *set.machine_template;
  const Node group = machines["spec.template.spec.serverGroup"];
  const auto replicas = set.replicas().value_or(1);
  if (replicas < 2 || machines["spec.template.spec.serverGroupID"]) return;
  if (!group) {
    report.at(group, "all {} control planes may run on one hypervisor", replicas)
        .also((*set.owner)["spec.replicas"], "the number of control planes")
        .note("Nova only spreads machines of a server group")
        .help("set `serverGroup` to one with the policy `anti-affinity` or `soft-anti-affinity`")
        .as(Severity::Note);
    return;
  }
  const Object* found = group_named(machines.cluster(), group["filter.name"].text());
  if (found == nullptr) return;
  const Node policy = (*found)["spec.resource.policy"];
  if (policy.text() != "affinity" && policy.text() != "soft-affinity") return;
  report.at(policy, "the policy `{}` keeps all {} control planes on one hypervisor", policy.text(), replicas)
      .also(group, "their server group")
      .help("use `anti-affinity`; the policy of a group can't be changed, so give the new group another name");
}

void check(const Cluster& tree, Report& report) {
  for (const MachineSet& set : machine_sets(tree)) {
    if (set.is_control_plane && set.machine_template != nullptr &&
        set.machine_template->kind() == "OpenStackMachineTemplate")
      check_machines(set, report);
  }
}

}  // namespace

CW_LINT_RULE(control_planes_on_one_host){
    .code = "CAP406",
    .name = "control-planes-on-one-host",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports control planes that OpenStack can place on one hypervisor, or that a server group keeps there.

## Why is this bad?

If all three control planes run on one hypervisor, its failure stops the cluster and etcd. Nova only spreads machines that
are in a server group. `anti-affinity` is strict and needs one more hypervisor than there are control planes, for the new
machine during an upgrade; `soft-anti-affinity` spreads as far as it can.

A control plane without a server group is a note, since zones may spread it as well. A server group with the policy
`affinity` is an error.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: KubeadmControlPlane, name: prod}}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  replicas: 3
  machineTemplate: {spec: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod}
spec:
  template:
    # note: [control-planes-on-one-host] "all 3 control planes may run on one hypervisor"
    spec: {flavor: m1.large}
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: KubeadmControlPlane, name: prod}}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  replicas: 3
  machineTemplate: {spec: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod}
spec: {template: {spec: {serverGroup: {filter: {name: prod-masters}}}}}
---
kind: ServerGroup
metadata: {name: group}
spec: {resource: {name: prod-masters, policy: soft-anti-affinity}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::control_planes_on_one_host
