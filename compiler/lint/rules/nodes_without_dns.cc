// CAP617: EKS clusters with IPv6 whose nodes get an IPv4 address for DNS.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::nodes_without_dns {
namespace {

// The provider's default for a Cluster without a range (cluster-api-provider-aws v2.13.0
// bootstrap/eks/internal/userdata/nodeadm.go).
constexpr std::string_view kDefaultRange = "172.20.0.0/16";

void check(const Object& control_plane, Report& report) {
  const Node ipv6 = control_plane["spec.network.vpc.ipv6"];
  if (!ipv6) return;
  const Object* owner = cluster_of(control_plane);
  const Node range = owner == nullptr ? Node() : (*owner)["spec.clusterNetwork.services.cidrBlocks[0]"];
  if (range.text().find(':') != std::string_view::npos) return;
  for (const std::string_view kind : {"NodeadmConfig", "NodeadmConfigTemplate"}) {
    for (const Object* config : control_plane.cluster().of_kind(kind)) {
      if (config->space() != control_plane.space()) continue;
      report
          .at(*config,
              "pods on these nodes find no DNS: the cluster has IPv6, the nodes get the range of services `{}`",
              range ? range.text() : kDefaultRange)
          .also(ipv6, "pods and services have only IPv6 addresses")
          .note("EKS assigns the IPv6 range, and the provider doesn't read it")
          .help(
              "use node groups without a launch template, or set the assigned range in "
              "`spec.clusterNetwork.services` of the Cluster");
    }
  }
}

}  // namespace

CW_LINT_RULE(nodes_without_dns){
    .code = "CAP617",
    .name = "nodes-without-dns",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "AWSManagedControlPlane",
    .docs = R"md(
## What it does

Reports nodes of an EKS cluster with IPv6 that join with an IPv4 range of services.

## Why is this bad?

The kubelet derives the address of the cluster's DNS from that range. EKS assigns an IPv6 range when it creates the
cluster. The provider writes the range of the Cluster into the configuration of the nodes, or `172.20.0.0/16`. The nodes
join, and their pods ask an address that doesn't exist.

## Example

```yaml
kind: AWSManagedControlPlane
metadata: {name: prod}
spec: {network: {vpc: {ipv6: {}}}}
---
kind: NodeadmConfig
metadata: {name: general}   # error: [nodes-without-dns] "find no DNS"
```

## Use instead

Let EKS bootstrap the nodes: a node group without a launch template needs no `NodeadmConfig`.

```yaml
kind: AWSManagedControlPlane
metadata: {name: prod}
spec: {network: {vpc: {ipv6: {}}}}
---
kind: AWSManagedMachinePool
metadata: {name: general}
spec: {amiType: AL2023_x86_64_STANDARD, instanceType: m7i.large}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::nodes_without_dns
