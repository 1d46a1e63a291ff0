// CAP307: addresses that MetalLB assigns to services and that are also used elsewhere.
#include <deque>
#include <fmt/format.h>
#include <map>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "lint/facts/networks.h"
#include "lint/facts/openstack.h"
#include "lint/model/inner_objects.h"

namespace capwright::lint::rules::load_balancer_pool {
namespace {

struct Pool {
  Node text;
  AddressSpan span;
};

std::vector<Pool> pools_in(InnerObjects& inner) {
  std::vector<Pool> pools;
  for (const Node& object : inner.of_kind("IPAddressPool", "IPAddressPool")) {
    for (const Node text : object["spec.addresses"].items())
      if (const auto span = parse_address_span(text.text())) pools.push_back({text, *span});
  }
  return pools;
}

// Returns true if it reported something; only the first overlap of a pool is reported.
bool check_machines(const Pool& pool, const ClusterParts& parts, Report& report) {
  if (parts.infrastructure_kind() != "OpenStackCluster") return false;
  const Object& cloud = *parts.infrastructure;
  for (const AllocationRange& handed : neutron_allocation_ranges(cloud)) {
    if (!handed.span.overlaps(pool.span)) continue;
    auto& finding =
        handed.is_pool ? report.at(pool.text, "MetalLB's addresses `{}` overlap with the allocation pool `{}`",
                                   pool.text.text(), to_text(handed.span))
                       : report.at(pool.text, "MetalLB's addresses `{}` may be assigned to machines of the subnet `{}`",
                                   pool.text.text(), handed.place.text());
    finding.also(handed.place, handed.is_pool ? "the pool" : "without allocation pools, all of it is assigned")
        .note("a service and a machine can get the same address")
        .help("{}", handed.is_pool ? "use addresses outside the pools"
                                   : "add `allocationPools` without these addresses to the subnet; the key of "
                                     "built-in sets is `network.allocation_pools`");
    return true;
  }
  const Node fixed = fixed_api_address(cloud);
  const auto address = ip::parse_address(fixed.text());
  if (!address || !pool.span.contains(*address)) return false;
  report.at(pool.text, "MetalLB's addresses `{}` include the API's, `{}`", pool.text.text(), fixed.text())
      .also(fixed, "the API's address")
      .help("leave it out");
  return true;
}

bool check_ranges(const Pool& pool, const ClusterParts& parts, Report& report) {
  for (const Range& range : ranges_of(parts)) {
    if (range.use != Use::Pods && range.use != Use::Services) continue;
    if (!pool.span.overlaps(span_of(range.network))) continue;
    report
        .at(pool.text, "MetalLB's addresses `{}` overlap with {}, `{}`", pool.text.text(), words_for(range.use),
            ip::to_text(range.network))
        .also(range.text, "overlaps with this")
        .help("use addresses of the machines' network, outside its allocation pools");
    return true;
  }
  return false;
}

// With ARP, machines can only announce addresses of their own network.
void check_reach(const Pool& pool, const ClusterParts& parts, InnerObjects& inner, Report& report) {
  if (inner.of_kind("L2Advertisement", "L2Advertisement").empty()) return;
  const Range* nearest = nullptr;
  const std::vector<Range> ranges = ranges_of(parts);
  for (const Range& range : ranges) {
    if (range.use != Use::Subnet || range.network.family() != pool.span.first.family) continue;
    if (range.network.contains(pool.span.first) && range.network.contains(pool.span.last)) return;
    nearest = &range;
  }
  if (nearest == nullptr) return;
  auto& finding = report.at(pool.text, "MetalLB's addresses `{}` aren't in the machines' subnet `{}`", pool.text.text(),
                            ip::to_text(nearest->network));
  finding.severity = Severity::Warning;
  finding.also(nearest->text, "the machines' subnet")
      .note("an L2Advertisement answers ARP, which only reaches neighbours in the same subnet")
      .help("use addresses of the subnet, or announce them by BGP");
}

void check_each_other(const std::vector<Pool>& pools, Report& report) {
  for (std::size_t i = 0; i < pools.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!pools[i].span.overlaps(pools[j].span)) continue;
      report.at(pools[i].text, "MetalLB's addresses `{}` overlap with `{}`", pools[i].text.text(), pools[j].text.text())
          .also(pools[j].text, "overlaps with this")
          .note("MetalLB's webhook rejects the second pool")
          .help("keep each address in one pool");
      break;
    }
  }
}

// With several Clusters, it is unknown which one the pools belong to.
void check(const Cluster& cluster, Report& report) {
  const Objects clusters = cluster.of_kind("Cluster");
  InnerObjects inner(cluster);
  const std::vector<Pool> pools = pools_in(inner);
  if (clusters.size() > 1) return;
  check_each_other(pools, report);
  if (clusters.empty()) return;
  const ClusterParts parts = parts_of(*clusters.front());
  for (const Pool& pool : pools) {
    if (check_machines(pool, parts, report) || check_ranges(pool, parts, report)) continue;
    check_reach(pool, parts, inner, report);
  }
}

// Clusters whose machines are in one network of the cloud.
void check_neighbours(const Fleet& fleet, Report& report) {
  std::map<std::string, std::vector<Pool>> networks;
  std::deque<InnerObjects> texts;
  for (const Cluster* tree : fleet.clusters) {
    const Objects clusters = tree->of_kind("Cluster");
    if (clusters.size() != 1) continue;
    const std::vector<Pool> pools = pools_in(texts.emplace_back(*tree));
    for (const SharedNetwork& shared : shared_networks_of(parts_of(*clusters.front()))) {
      std::vector<Pool>& known = networks[shared.identity];
      for (const Pool& pool : pools) {
        for (const Pool& other : known) {
          if (!pool.span.overlaps(other.span)) continue;
          report
              .at(pool.text, "MetalLB's addresses `{}` overlap with `{}` of another cluster in the same network",
                  pool.text.text(), other.text.text())
              .also(other.text, "of the other cluster")
              .help("give each cluster its own addresses");
          break;
        }
      }
      known.insert(known.end(), pools.begin(), pools.end());
    }
  }
}

void give_keys(const Cluster& tree, FleetKeys& keys) {
  const Objects clusters = tree.of_kind("Cluster");
  if (clusters.size() != 1) return;
  InnerObjects inner(tree);
  const std::vector<Pool> pools = pools_in(inner);
  if (pools.empty()) return;
  for (const SharedNetwork& shared : shared_networks_of(parts_of(*clusters.front())))
    for (const Pool& pool : pools) keys.add("load-balancer-pool", shared.identity, pool.span);
}

}  // namespace

CW_LINT_RULE(load_balancer_pool){
    .code = "CAP307",
    .name = "load-balancer-pool",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a MetalLB pool whose addresses are in use or unreachable.

## Why is this bad?

A pool must not overlap an allocation pool of the subnet (without allocation pools: the subnet), the API's address, the pod
and service ranges, or another pool, also of another cluster in the same network. A pool announced by ARP should be in the
machines' subnet (warning), because only that subnet sends ARP requests for it.

The rule finds pools as manifests, and in ConfigMaps and Secrets of ClusterResourceSets.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  managedSubnets:
    - cidr: 10.6.0.0/24
      allocationPools: [{start: 10.6.0.50, end: 10.6.0.199}]
---
kind: ConfigMap
data:
  pool.yaml: |
    kind: IPAddressPool
    spec:
      addresses:
        - 10.6.0.100-10.6.0.150   # error: [load-balancer-pool] "the allocation pool `10.6.0.50-10.6.0.199`"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods: {cidrBlocks: ["10.244.0.0/16"]}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  apiServerFixedIP: 10.6.0.5
  managedSubnets:
    - cidr: 10.6.0.0/24
      allocationPools: [{start: 10.6.0.50, end: 10.6.0.199}]
---
kind: IPAddressPool
spec:
  addresses: [10.6.0.200-10.6.0.230]
---
kind: L2Advertisement
```
)md",
    .check_cluster = check,
    .check_fleet = check_neighbours,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::load_balancer_pool
