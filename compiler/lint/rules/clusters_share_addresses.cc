// CAP311: clusters in one network with overlapping addresses.
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "lint/facts/networks.h"

namespace capwright::lint::rules::clusters_share_addresses {
namespace {

// Of one cluster with earlier ones in a network: thousands of copies of a cluster are one mistake.
constexpr std::size_t kMostClashes = 5;

struct Member {
  ClusterParts parts;
  SharedNetwork shared;
  std::vector<Range> ranges;
};

bool is_of_machines(const Range& range) { return range.use == Use::Network || range.use == Use::Subnet; }

// Within one network, the subnets that Cluster API creates must differ; networks that are attached to a third one must
// not overlap at all.
bool counts(const Range& range, const Member& member) {
  if (!is_of_machines(range)) return false;
  return !member.shared.is_own_network || (range.use == Use::Subnet && !range.exists);
}

bool is_inner(const Range& range) { return range.use == Use::Pods || range.use == Use::Services; }

// A cluster's pods and services would hide the other's machines. Pod ranges of two clusters may overlap, because their
// packets leave the nodes with the nodes' addresses.
bool clash(const Range& one, const Member& in_one, const Range& other, const Member& in_other) {
  if (!one.network.overlaps(other.network)) return false;
  if (is_of_machines(one) && is_of_machines(other)) return counts(one, in_one) && counts(other, in_other);
  return (is_inner(one) && is_of_machines(other)) || (is_of_machines(one) && is_inner(other));
}

struct Clash {
  const Range* first = nullptr;
  const Range* later = nullptr;
};

std::optional<Clash> clash_of(const Member& one, const Member& other) {
  for (const Range& later : other.ranges) {
    for (const Range& first : one.ranges) {
      if (clash(first, one, later, other)) return Clash{&first, &later};
    }
  }
  return std::nullopt;
}

void say(const Clash& clash, const Member& one, const Member& other, Report& report) {
  const auto& [first, later] = clash;
  report
      .at(later->text, "`{}` of {} overlaps with `{}` of {} of the cluster `{}`", ip::to_text(later->network),
          words_for(later->use), ip::to_text(first->network), words_for(first->use), one.parts.cluster->name())
      .also(first->text, fmt::format("of `{}`", one.parts.cluster->name()))
      .also(other.shared.place, fmt::format("both are in the {}", other.shared.identity))
      .help("give each cluster of a network its own ranges");
}

std::vector<Member> members_in(const Cluster& tree) {
  std::vector<Member> members;
  for (const Object* cluster : tree.of_kind("Cluster")) {
    const ClusterParts parts = parts_of(*cluster);
    for (SharedNetwork& shared : shared_networks_of(parts))
      members.push_back({parts, std::move(shared), ranges_of(parts)});
  }
  return members;
}

void check(const Fleet& fleet, Report& report) {
  std::map<std::string, std::vector<Member>> networks;
  for (const Cluster* tree : fleet.clusters) {
    for (Member& member : members_in(*tree)) networks[member.shared.identity].push_back(std::move(member));
  }
  std::set<std::pair<const Object*, const Object*>> said;
  for (const auto& [identity, members] : networks) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::size_t clashes = 0;
      for (std::size_t j = 0; j < i && clashes < kMostClashes; ++j) {
        const std::optional<Clash> clash = clash_of(members[j], members[i]);
        if (!clash) continue;
        ++clashes;
        if (said.emplace(members[j].parts.cluster, members[i].parts.cluster).second)
          say(*clash, members[j], members[i], report);
      }
    }
  }
}

// Keys for the pairs of clash(): machines with machines; pods and services with machines.
void give_keys(const Cluster& tree, FleetKeys& keys) {
  using Side = FleetKeys::Side;
  if (tree.of_kind("Cluster").size() > 1) keys.alone();
  for (const Member& member : members_in(tree)) {
    for (const Range& range : member.ranges) {
      const std::string& network = member.shared.identity;
      const AddressSpan addresses = span_of(range.network);
      if (counts(range, member)) keys.add("clusters-share-addresses, machines", network, addresses);
      if (is_of_machines(range) || is_inner(range))
        keys.add("clusters-share-addresses", network, addresses, is_inner(range) ? Side::Asks : Side::Answers);
    }
  }
}

}  // namespace

CW_LINT_RULE(clusters_share_addresses){
    .code = "CAP311",
    .name = "clusters-share-addresses",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports two clusters in one network whose addresses overlap.

## Why is this bad?

The cloud rejects the second subnet or peering. If pods or services of one cluster overlap machines of the other, packets to
these machines never leave the first cluster. Pods of two clusters may overlap, since they have the addresses of their nodes
outside their cluster.

A cluster is reported with at most five earlier ones in a network.

Clusters share a network if they name the same network, router, VPC, VCN or DRG by ID, or the same Azure hub.

## Example

```yaml file=clusters/a/cluster.yaml
kind: Cluster
metadata: {name: a}
spec: {infrastructureRef: {kind: OpenStackCluster, name: a}}
---
kind: OpenStackCluster
metadata: {name: a}
spec:
  router: {id: 0c5b7a8e-94f2-4f0a-9d0b-6f0a3d8e2b47}
  managedSubnets: [{cidr: 10.6.0.0/24}]
```
```yaml file=clusters/b/cluster.yaml
kind: Cluster
metadata: {name: b}
spec: {infrastructureRef: {kind: OpenStackCluster, name: b}}
---
kind: OpenStackCluster
metadata: {name: b}
spec:
  router: {id: 0c5b7a8e-94f2-4f0a-9d0b-6f0a3d8e2b47}
  managedSubnets:
    - cidr: 10.6.0.0/22   # error: [clusters-share-addresses] "overlaps with `10.6.0.0/24` of the subnet of the cluster `a`"
```

## Use instead

```yaml file=clusters/a/cluster.yaml
kind: Cluster
metadata: {name: a}
spec:
  clusterNetwork: {pods: {cidrBlocks: ["10.244.0.0/16"]}}
  infrastructureRef: {kind: OpenStackCluster, name: a}
---
kind: OpenStackCluster
metadata: {name: a}
spec:
  managedSubnets: [{cidr: 10.6.0.0/24}]
```
```yaml file=clusters/b/cluster.yaml
kind: Cluster
metadata: {name: b}
spec:
  clusterNetwork: {pods: {cidrBlocks: ["10.244.0.0/16"]}}
  infrastructureRef: {kind: OpenStackCluster, name: b}
---
kind: OpenStackCluster
metadata: {name: b}
spec:
  managedSubnets: [{cidr: 10.6.0.0/24}]
```
)md",
    .check_fleet = check,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::clusters_share_addresses
