// CAP604: port 9345, where RKE2 nodes register, must be reachable.
#include "lint/engine/rule.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::rke2_supervisor_port {
namespace {

constexpr std::int64_t kSupervisor = 9345;

bool has_listener(const Object& infrastructure) {
  for (const Node port : api_load_balancer(infrastructure)["additionalPorts"].items()) {
    if (port.integer() == kSupervisor) return true;
  }
  return false;
}

// Whether a rule for TCP, or for all protocols, includes the port.
bool opens(const Node& rules) {
  for (const Node rule : rules.items()) {
    const std::string_view protocol = rule["protocol"].text();
    if (rule["direction"].text() == "egress" || (!protocol.empty() && protocol != "tcp")) continue;
    const auto first = rule["portRangeMin"].integer(), last = rule["portRangeMax"].integer();
    if (!first || (*first <= kSupervisor && last.value_or(*first) >= kSupervisor)) return true;
  }
  return false;
}

bool is_open_between_nodes(const Object& infrastructure) {
  const Node groups = infrastructure["spec.managedSecurityGroups"];
  if (!groups.is(Kind::Map) || groups["allowAllInClusterTraffic"].is_true()) return true;
  return opens(groups["allNodesSecurityGroupRules"]) || opens(groups["clusterNodesSecurityGroupRules"]) ||
         opens(groups["controlPlaneNodesSecurityGroupRules"]);
}

void check(const Object& control_plane, Report& report) {
  const Object* cluster = cluster_of(control_plane);
  const Object* infrastructure = cluster == nullptr ? nullptr : openstack_of(*cluster);
  if (infrastructure == nullptr) return;
  const Node method = control_plane["spec.registrationMethod"];
  const std::string_view name = method.text().empty() ? std::string_view("control-plane-endpoint") : method.text();
  if (name == "control-plane-endpoint" && has_api_load_balancer(*infrastructure)) {
    if (has_listener(*infrastructure)) return;
    report
        .at(api_load_balancer(*infrastructure)["additionalPorts"],
            "nodes register with RKE2 at port {} of the load balancer, which isn't open", kSupervisor)
        .also(method, "how nodes register")
        .note("the first control plane starts, and no other machine can join")
        .help("add {} to `additionalPorts`", kSupervisor);
    return;
  }
  if (is_open_between_nodes(*infrastructure)) return;
  report
      .at((*infrastructure)["spec.managedSecurityGroups"],
          "nodes register with RKE2 at port {} of a control plane, which no rule opens", kSupervisor)
      .also(method, "how nodes register")
      .note("the first control plane starts, and no other machine can join")
      .help("add a rule for tcp/{} from `controlplane` and `worker`", kSupervisor);
}

}  // namespace

CW_LINT_RULE(rke2_supervisor_port){
    .code = "CAP604",
    .name = "rke2-supervisor-port",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "RKE2ControlPlane",
    .docs = R"md(
## What it does

Reports an RKE2 cluster whose nodes can't register because port 9345 is closed.

## Why is this bad?

RKE2 uses two ports: 6443 for the API, and 9345, where the supervisor issues certificates to joining nodes. The OpenStack
provider only opens the first. With `registrationMethod: control-plane-endpoint`, the default, the load balancer needs 9345
in `additionalPorts`. With another method or a virtual IP, nodes connect to the control planes, and a security group rule
must allow it. Rules outside `managedSecurityGroups` aren't checked.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {registrationMethod: control-plane-endpoint}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  apiServerLoadBalancer:
    enabled: true
    additionalPorts: [8132]   # error: [rke2-supervisor-port] "nodes register with RKE2 at port 9345 of the load"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec: {apiServerLoadBalancer: {enabled: true, additionalPorts: [9345]}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::rke2_supervisor_port
