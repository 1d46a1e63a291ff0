// CAP304: addresses of the cluster's DNS outside of the service range.
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/networks.h"

namespace capwright::lint::rules::dns_service_address {
namespace {

std::vector<Range> services_of(const ClusterParts& parts) {
  std::vector<Range> services;
  for (const Range& range : ranges_of(parts))
    if (range.use == Use::Services) services.push_back(range);
  return services;
}

void check_address(const Node& node, std::string_view text, const std::vector<Range>& services, Report& report) {
  const auto address = ip::parse_address(text);
  if (!address || services.empty()) return;
  const Range* nearest = &services.front();
  bool inside = false;
  for (const Range& range : services) {
    if (range.network.family() == address->family) nearest = &range;
    inside = inside || range.network.contains(*address);
  }
  const std::string range = ip::to_text(nearest->network.without_host_bits());
  const auto usual = ip::advance(nearest->network.first(), 10);
  const auto repair = [&](Finding& finding) {
    if (usual && nearest->network.contains(*usual) && node.text() == text)
      finding.fix(node, ip::to_text(*usual), Safety::Unsafe, "use the tenth address, as installers do");
  };
  if (!inside) {
    repair(report.at(node, "the DNS service's address `{}` is outside the service range `{}`", text, range)
               .also(nearest->text, "the service range")
               .note("every pod sends its DNS queries there, and no service can have this address")
               .help("use `{}`", usual ? ip::to_text(*usual) : range));
  } else if (address->number - nearest->network.first().number < 2) {
    const bool first = *address == nearest->network.first();
    repair(report.at(node, "the DNS service's address `{}` is taken", text)
               .also(nearest->text, "the service range")
               .note("{}", first ? "it is the address of the range itself"
                                 : "the first address of the range is the API server's")
               .help("use `{}`", usual ? ip::to_text(*usual) : range));
  }
}

// k3s and RKE2 accept several, separated by commas.
void check_list(const Node& node, const std::vector<Range>& services, Report& report) {
  std::string_view rest = node.text();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    check_address(node, rest.substr(0, end), services, report);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  if (parts.control_plane == nullptr) return;
  const std::vector<Range> services = services_of(parts);
  check_list((*parts.control_plane)["spec.kthreesConfigSpec.serverConfig.clusterDNS"], services, report);
  check_list((*parts.control_plane)["spec.serverConfig.clusterDNS"], services, report);
  check_list((*parts.control_plane)["spec.dnsServiceIP"], services, report);
  for (const Node& aks : azure_resources(parts, "ManagedCluster"))
    check_list(aks["spec.networkProfile.dnsServiceIP"], services, report);
}

}  // namespace

CW_LINT_RULE(dns_service_address){
    .code = "CAP304",
    .name = "dns-service-address",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a cluster DNS address that can't be the address of a service.

## Why is this bad?

Every kubelet writes the DNS address into its pods. It must be in the service range of the `Cluster`, and it can't be the
first address of the range (the network itself) or the second one (the API server). With another address, pods can't resolve
names.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    services:
      cidrBlocks: ["10.96.0.0/16"]
  controlPlaneRef: {kind: KThreesControlPlane, name: prod}
---
kind: KThreesControlPlane
metadata: {name: prod}
spec:
  kthreesConfigSpec:
    serverConfig:
      clusterDNS: 10.43.0.10   # error: [dns-service-address] "the DNS service's address `10.43.0.10` is outside the"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    services:
      cidrBlocks: ["10.96.0.0/16", "fd00:10:96::/112"]
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec:
  serverConfig:
    clusterDNS: 10.96.0.2,fd00:10:96::a
```

## Fix

Unsafe: uses the tenth address of the range, as installers do.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::dns_service_address
