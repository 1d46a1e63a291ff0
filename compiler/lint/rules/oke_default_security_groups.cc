// CAP614: custom OKE networks with security groups for the default network.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::oke_default_security_groups {
namespace {

struct Default {
  std::string_view role, cidr;
};

// The ranges in the provider's default rules: api/v1beta2/ocimanagedcluster_webhook.go of CAPOCI v0.24.0.
constexpr Default kDefaults[] = {
    {"control-plane-endpoint", "10.0.0.8/29"},
    {"worker", "10.0.64.0/20"},
    {"service-lb", "10.0.0.32/27"},
    {"pod", "10.0.128.0/18"},
};

std::string_view default_of(std::string_view role) {
  for (const Default& each : kDefaults) {
    if (each.role == role) return each.cidr;
  }
  return {};
}

void check(const Object& infrastructure, Report& report) {
  const Node vcn = infrastructure["spec.networkSpec.vcn"];
  const Node groups = vcn["networkSecurityGroup"];
  if (groups["skip"].is_true() || groups["list"].size() != 0) return;
  for (const Node subnet : vcn["subnets"].items()) {
    const Node cidr = subnet["cidr"];
    const std::string_view usual = default_of(subnet["role"].text());
    if (usual.empty() || cidr.text().empty() || cidr.text() == usual) continue;
    report.at(cidr, "the provider's security groups are for {}, but this subnet is {}", usual, cidr.text())
        .also(groups["list"], "no `list`, so the provider creates the groups")
        .note("their rules always have the default networks, so nodes can't reach the API")
        .help("define the rules in `networkSecurityGroup.list`, or use the default networks");
    return;
  }
}

}  // namespace

CW_LINT_RULE(oke_default_security_groups){
    .code = "CAP614",
    .name = "oke-default-security-groups",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "OCIManagedCluster",
    .docs = R"md(
## What it does

Reports OKE subnets with your own addresses and security groups for the default addresses.

## Why is this bad?

Without `networkSecurityGroup.list`, the provider creates security groups for 10.0.0.8/29 (API endpoint), 10.0.64.0/20
(workers), 10.0.0.32/27 (load balancers) and 10.0.128.0/18 (pods), whatever the subnets are. In a network with other
addresses all traffic is blocked: OKE creates the cluster, and its nodes never become ready.

## Example

```yaml
kind: OCIManagedCluster
metadata: {name: prod}
spec:
  networkSpec:
    vcn:
      cidr: 10.80.0.0/16
      subnets:
        - role: control-plane-endpoint
          cidr: 10.80.0.8/29   # error: [oke-default-security-groups] "the provider's security groups are for 10.0.0.8/29, but"
        - {role: worker, cidr: 10.80.64.0/20}
```

## Use instead

```yaml
kind: OCIManagedCluster
metadata: {name: default}
spec: {networkSpec: {vcn: {subnets: [{role: worker, cidr: 10.0.64.0/20}, {role: pod, cidr: 10.0.128.0/18}]}}}
---
kind: OCIManagedCluster
metadata: {name: own}
spec:
  networkSpec:
    vcn:
      subnets: [{role: worker, cidr: 10.80.64.0/20}]
      networkSecurityGroup: {list: [{name: worker, role: worker}]}
---
kind: OCIManagedCluster
metadata: {name: others}
spec: {networkSpec: {vcn: {subnets: [{role: worker, cidr: 10.80.64.0/20}], networkSecurityGroup: {skip: true}}}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::oke_default_security_groups
