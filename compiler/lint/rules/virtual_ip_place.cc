// CAP306: virtual addresses of the API server that may be assigned twice, or are unreachable.
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/networks.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::virtual_ip_place {
namespace {

struct VirtualIp {
  Node text;
  std::string_view what;
  bool in_subnet;  // machines announce it in their own network
};

void add_kube_vip(const Node& files, std::vector<VirtualIp>& addresses) {
  for (const Node file : files.items()) {
    const Node content = file["content"];
    if (content.text().find("vip_arp") == std::string_view::npos) continue;
    for (const Node container : content.yaml()["spec.containers"].items()) {
      bool by_arp = false;
      for (const Node variable : container["env"].items())
        by_arp = by_arp || (variable["name"].text() == "vip_arp" && variable["value"].text() == "true");
      for (const Node variable : container["env"].items())
        if (variable["name"].text() == "address")
          addresses.push_back({variable["value"], "kube-vip's address", by_arp});
    }
  }
}

// The first occurrence of each address.
std::vector<VirtualIp> addresses_of(const ClusterParts& parts) {
  std::vector<VirtualIp> addresses;
  const Node fixed = fixed_api_address(*parts.infrastructure);
  if (fixed) addresses.push_back({fixed, "the API's address", true});
  if (parts.control_plane == nullptr) return addresses;
  const Object& control_plane = *parts.control_plane;
  addresses.push_back({control_plane["spec.registrationAddress"], "the registration address", false});
  add_kube_vip(control_plane["spec.kubeadmConfigSpec.files"], addresses);
  add_kube_vip(control_plane["spec.files"], addresses);
  add_kube_vip(control_plane["spec.kthreesConfigSpec.files"], addresses);
  return addresses;
}

// Returns true if it reported something.
bool check_subnet(const VirtualIp& ip, const ip::Address& address, const ip::Network& subnet, const Node& cidr,
                  Report& report) {
  if (!subnet.contains(address)) {
    if (!ip.in_subnet) return false;
    report.at(ip.text, "{} `{}` is outside the subnet `{}`", ip.what, ip.text.text(), cidr.text())
        .also(cidr, "the machines' subnet")
        .help("use an address of the subnet that is in no allocation pool");
    return true;
  }
  const bool is_network = address == subnet.first();
  const bool is_gateway = address.number == subnet.first().number + 1;
  const bool is_broadcast = subnet.family() == ip::Family::V4 && address == subnet.last();
  if (!is_network && !is_gateway && !is_broadcast) return false;
  std::string_view taken = "gateway";
  if (is_network) taken = "own address";
  else if (is_broadcast) taken = "broadcast address";
  report.at(ip.text, "{} `{}` is the subnet's {}", ip.what, ip.text.text(), taken)
      .also(cidr, "the machines' subnet")
      .help("use another address of the subnet");
  return true;
}

void check_pools(const VirtualIp& ip, const ip::Address& address, const Object& cloud, Report& report) {
  for (const AllocationRange& handed : neutron_allocation_ranges(cloud)) {
    if (!handed.span.contains(address)) continue;
    auto& finding = handed.is_pool ? report.at(ip.text, "{} `{}` is in the allocation pool `{}`", ip.what,
                                               ip.text.text(), to_text(handed.span))
                                   : report.at(ip.text, "{} `{}` may be assigned to any machine of the subnet", ip.what,
                                               ip.text.text());
    finding.also(handed.place, handed.is_pool ? "the pool" : "without allocation pools, all of it is assigned")
        .note("Neutron may assign the address to a machine, and the API becomes unreachable")
        .help("{}", handed.is_pool ? "use an address outside the pools"
                                   : "add `allocationPools` without it; the key of built-in sets is "
                                     "`network.allocation_pools`");
    return;
  }
}

// With a load balancer, the address belongs to its port, so Neutron reserves it.
void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  if (parts.infrastructure_kind() != "OpenStackCluster") return;
  const Object& cloud = *parts.infrastructure;
  const Node cidr = cloud["spec.managedSubnets[0].cidr"];
  const auto subnet = network_in(cidr);
  const bool has_balancer = has_api_load_balancer(cloud);
  if (!subnet) return;
  std::vector<ip::Address> seen;
  for (const VirtualIp& ip : addresses_of(parts)) {
    const auto address = ip::parse_address(ip.text.text());
    if (!address || std::find(seen.begin(), seen.end(), *address) != seen.end()) continue;
    seen.push_back(*address);
    if (check_subnet(ip, *address, *subnet, cidr, report) || has_balancer) continue;
    check_pools(ip, *address, cloud, report);
  }
}

}  // namespace

CW_LINT_RULE(virtual_ip_place){
    .code = "CAP306",
    .name = "virtual-ip-place",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a virtual IP of the API that a machine can get, or that is outside the machines' subnet.

## Why is this bad?

Neutron doesn't know about a virtual IP without a load balancer. If the IP is in an allocation pool, or the subnet has no
pools, Neutron eventually assigns it to a machine, and the API is unreachable. Outside the subnet, no machine can announce
it. The gateway and the first and last address of the subnet are taken.

The rule checks `apiServerFixedIP`, kube-vip's `address` and RKE2's `registrationAddress` for subnets that Cluster API
creates.

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
  apiServerFixedIP: 10.6.0.60   # error: [virtual-ip-place] "the API's address `10.6.0.60` is in the allocation pool"
  managedSubnets:
    - cidr: 10.6.0.0/24
      allocationPools: [{start: 10.6.0.50, end: 10.6.0.199}]
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  apiServerFixedIP: 10.6.0.49
  managedSubnets:
    - cidr: 10.6.0.0/24
      allocationPools: [{start: 10.6.0.50, end: 10.6.0.199}]
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::virtual_ip_place
