// CAP308: security groups that block the CNI's traffic.
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/cni.h"
#include "lint/facts/security_groups.h"

namespace capwright::lint::rules::closed_cni_ports {
namespace {

bool is_open(const std::vector<GroupRule>& rules, std::string_view protocol, std::int64_t port) {
  for (const Role from : {Role::ControlPlane, Role::Worker})
    for (const Role to : {Role::ControlPlane, Role::Worker})
      if (!lets_through(rules, protocol, port, from, to)) return false;
  return true;
}

std::string words(std::string_view protocol, std::int64_t port) {
  return port == 0 ? fmt::format("protocol {}", protocol) : fmt::format("{}/{}", protocol, port);
}

std::string opened(const std::vector<GroupRule>& rules) {
  std::string list;
  for (const GroupRule& rule : rules) {
    if (!rule.is_ingress() || !rule.of_workers) continue;
    const auto least = rule.rule["portRangeMin"].integer();
    if (!list.empty()) list += ", ";
    list += rule.protocol().empty() ? "all" : words(rule.protocol(), least.value_or(0));
  }
  return list.empty() ? "nothing" : list;
}

void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  if (parts.infrastructure_kind() != "OpenStackCluster" || cluster.cluster().of_kind("Cluster").size() != 1) return;
  const Node groups = (*parts.infrastructure)["spec.managedSecurityGroups"];
  if (!groups || groups["allowAllInClusterTraffic"].is_true()) return;
  InnerObjects inner(cluster.cluster());
  const auto cni = cni_of(parts, inner);
  if (!cni) return;
  const std::vector<GroupRule> rules = group_rules_of(*parts.infrastructure);
  for (const Value& needed : fact(network_facts(), "cni_ports").items()) {
    const std::string_view protocol = fact(needed, "protocol").text();
    const std::int64_t port = fact(needed, "port").as_int();
    if (fact(needed, "cni").text() != cni->id || is_open(rules, protocol, port)) continue;
    const bool is_vital = fact(needed, "vital").as_bool();
    auto& finding = report.at(groups["allNodesSecurityGroupRules"], "{} needs {} between all nodes for its {}",
                              cni->title, words(protocol, port), fact(needed, "what").text());
    if (!is_vital) finding.severity = Severity::Warning;
    finding.also(cni->place, "the CNI is selected here")
        .note("open between nodes: {}", opened(rules))
        .help("add a rule for it to `allNodesSecurityGroupRules`, with `remoteManagedGroups: [controlplane, worker]`");
  }
}

}  // namespace

CW_LINT_RULE(closed_cni_ports){
    .code = "CAP308",
    .name = "closed-cni-ports",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports security groups that block the CNI's traffic between nodes.

## Why is this bad?

`managedSecurityGroups` opens the ports of Kubernetes, but not those of the CNI. Nodes become ready, but pods on different nodes
can't reach each other. Many examples open the ports of Calico with BGP (tcp/179 and protocol 4), which other CNIs don't use.

| CNI | between all nodes |
|---|---|
| Canal, Flannel | udp/8472; with WireGuard udp/51820 |
| Calico | udp/4789 with VXLAN; tcp/179 and protocol 4 with BGP; tcp/5473 for Typha |
| Cilium | udp/8472, or udp/6081 with Geneve, udp/51871 with WireGuard; tcp/4240 (a warning) |

The rule detects the CNI from the control plane of RKE2 or k3s, from a manifest in a ClusterResourceSet, or from chart values.
`allowAllInClusterTraffic: true` allows everything between nodes.

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
spec: {serverConfig: {cni: canal}}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  managedSecurityGroups:
    # error: [closed-cni-ports] "Canal needs udp/8472"
    allNodesSecurityGroupRules:
      - {name: bgp, protocol: tcp, portRangeMin: 179, portRangeMax: 179, remoteManagedGroups: [controlplane, worker]}
      - {name: ipip, protocol: "4", remoteManagedGroups: [controlplane, worker]}
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: KThreesControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: KThreesControlPlane
metadata: {name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  managedSecurityGroups:
    allNodesSecurityGroupRules:
      - {name: overlay, protocol: udp, portRangeMin: 8000, portRangeMax: 9000, remoteManagedGroups: [controlplane, worker]}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::closed_cni_ports
