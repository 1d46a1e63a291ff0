// CAP301: overlapping address ranges within one cluster.
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/cni.h"
#include "lint/facts/networks.h"

namespace capwright::lint::rules::overlapping_cluster_ranges {
namespace {

std::string words(const Range& range) {
  return fmt::format("`{}` of {}", ip::to_text(range.network), words_for(range.use));
}

bool is_of_machines(const Range& range) { return range.use == Use::Network || range.use == Use::Subnet; }

// A subnet lies in its network, and a network may be written twice.
bool may_overlap(const Range& one, const Range& other, bool pods_are_inside) {
  if (one.use == Use::Peer && other.use == Use::Peer) return true;
  if (is_of_machines(one) && is_of_machines(other)) return one.use == Use::Network || other.use == Use::Network;
  return pods_are_inside && (one.use == Use::Pods || other.use == Use::Pods);
}

void check_reserved(const ClusterParts& parts, const Range& range, Report& report) {
  for (const Value& reserved : fact(network_facts(), "reserved").items()) {
    const std::vector<std::string_view>& kinds = words_of(fact(reserved, "control_planes"));
    if (std::find(kinds.begin(), kinds.end(), parts.control_plane_kind()) == kinds.end()) continue;
    for (const std::string_view text : words_of(fact(reserved, "ranges"))) {
      const auto taken = ip::parse_network(text);
      if (!taken || !range.network.overlaps(*taken)) continue;
      report.at(range.text, "{} overlaps with `{}`", words(range), text)
          .note("{} reserves that range", fact(reserved, "by").text())
          .help("use another range");
    }
  }
}

// Without a pod range of the Cluster: the range that the CNI then gives to pods. With one, CAP305 compares both.
void check_default_pods(const Object& cluster, const std::vector<Range>& ranges, Report& report) {
  const bool has_pods = std::ranges::any_of(ranges, [](const Range& range) { return range.use == Use::Pods; });
  if (has_pods || cluster.cluster().of_kind("Cluster").size() != 1) return;
  for (const DefaultPods& pods : default_pods_of(cluster.cluster())) {
    const auto network = ip::parse_network(pods.range);
    const Range* found = nullptr;
    for (const Range& range : ranges) {
      if (!network || !range.network.overlaps(*network)) continue;
      if (found == nullptr || (range.use == Use::Subnet && found->use == Use::Network)) found = &range;
    }
    if (found == nullptr) continue;
    report.at(pods.place, "`{}`, {}'s default for pods, overlaps with {}", pods.range, pods.title, words(*found))
        .also(found->text, "overlaps with this")
        .note("an address in both is only routed to one of them")
        .help("set `{}` to another range in the values of the chart, and in the Cluster", pods.key);
  }
}

// Compares with subnets first: a subnet is more specific than its network.
void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  const bool pods_are_inside = pods_use_machine_network(parts);
  const std::vector<Range> ranges = ranges_of(parts);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    if (!(pods_are_inside && range.use == Use::Pods)) check_reserved(parts, range, report);
    const Range* found = nullptr;
    for (std::size_t j = 0; j < i; ++j) {
      const Range& other = ranges[j];
      if (may_overlap(range, other, pods_are_inside) || !range.network.overlaps(other.network)) continue;
      if (found == nullptr || (other.use == Use::Subnet && found->use == Use::Network)) found = &other;
    }
    if (found == nullptr) continue;
    report.at(range.text, "{} overlaps with {}", words(range), words(*found))
        .also(found->text, "overlaps with this")
        .note("an address in both is only routed to one of them")
        .help("use ranges that don't overlap; they can't be changed after the cluster is created");
  }
  if (!pods_are_inside) check_default_pods(cluster, ranges, report);
}

}  // namespace

CW_LINT_RULE(overlapping_cluster_ranges){
    .code = "CAP301",
    .name = "overlapping-cluster-ranges",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports networks of machines, pods and services of one cluster that overlap.

## Why is this bad?

An address in two ranges is only routed to one of them: some nodes, pods or services time out, others work. The ranges can't
be changed after the cluster is created.

The rule compares the subnets and networks of machines, the pods and services of the `Cluster`, and peered networks. Where
pods get addresses from the machines' network (EKS, OKE with native pod networking, AKS without overlay), the pod range of
the `Cluster` isn't used and isn't compared. The ranges that AKS reserves are included, and, if the `Cluster` has no pod range,
the one that Cilium uses by default (`10.0.0.0/8`).

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["10.6.0.0/16"]   # error: [overlapping-cluster-ranges] "`10.6.0.0/16` of the pods overlaps with `10.6.0.0/24` of the subnet"
    services:
      cidrBlocks: ["10.96.0.0/16"]
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  managedSubnets:
    - cidr: 10.6.0.0/24
```

## Use instead

```yaml
kind: Cluster
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["10.244.0.0/16", "fd00:10:244::/56"]
    services:
      cidrBlocks: ["10.245.0.0/16", "fd00:10:96::/112"]
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  managedSubnets:
    - cidr: 10.243.255.0/24
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::overlapping_cluster_ranges
