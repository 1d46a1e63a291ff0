// CAP303: networks with fewer addresses than the cluster may need.
#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <map>

#include "lint/engine/rule.h"
#include "lint/facts/networks.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::network_capacity {
namespace {

constexpr std::string_view kMostOfPool = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
constexpr int kNodeMask = 24, kNodeMaskV6 = 64;  // defaults of the controller manager
constexpr int kOracleNodeMask = 25;              // of OKE with Flannel
constexpr int kMostBits = 40;                    // larger networks are always sufficient

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Machines that a rollout adds: a number or a percentage.
std::int64_t surge_of(const Node& surge, std::int64_t replicas) {
  if (const auto count = surge.integer()) return *count;
  const std::string_view text = surge.text();
  if (!text.ends_with('%')) return 1;
  return (number(text.substr(0, text.size() - 1)).value_or(0) * replicas + 99) / 100;
}

// The limit of a pool that the provider itself scales.
std::int64_t most_of_provider(const Object& pool) {
  const Node reference = pool["spec.template.spec.infrastructureRef"];
  for (const Object* object : pool.cluster().of_kind(reference["kind"].text())) {
    if (object->name() != reference["name"].text()) continue;
    std::int64_t most = (*object)["spec.scaling.maxSize"].integer().value_or(0);
    for (const Node resource : (*object)["spec.resources"].items())
      most = std::max(most, resource["spec.maxCount"].integer().value_or(0));
    return most;
  }
  return 0;
}

std::int64_t most_machines_of(const Object& pool) {
  std::int64_t most = pool["spec.replicas"].integer().value_or(1);
  most = std::max({most, number(pool.annotation(kMostOfPool).text()).value_or(0), most_of_provider(pool)});
  const Node surge = pool["spec.rollout.strategy.rollingUpdate.maxSurge"];
  return most + surge_of(surge ? surge : pool["spec.strategy.rollingUpdate.maxSurge"], most);
}

// The most machines of all pools, by the name of their Cluster.
std::map<std::string_view, std::int64_t> most_of_pools(const Cluster& tree) {
  std::map<std::string_view, std::int64_t> most;
  for (const std::string_view kind : {"MachineDeployment", "MachinePool"}) {
    for (const Object* pool : tree.of_kind(kind)) most[(*pool)["spec.clusterName"].text()] += most_machines_of(*pool);
  }
  return most;
}

struct Machines {
  std::int64_t control_planes = 0, pools = 0;
  std::int64_t all() const { return control_planes + pools; }
};

Machines most_machines(const ClusterParts& parts) {
  Machines machines;
  if (parts.control_plane != nullptr && !parts.control_plane_kind().ends_with("ManagedControlPlane"))
    machines.control_planes = (*parts.control_plane)["spec.replicas"].integer().value_or(1) + 1;
  const auto& pools = parts.cluster->cluster().memo(most_of_pools);
  const auto found = pools.find(parts.cluster->name());
  if (found != pools.end()) machines.pools = found->second;
  return machines;
}

std::optional<int> mask_in(std::string_view argument) {
  constexpr std::string_view kName = "node-cidr-mask-size";
  if (const std::size_t at = argument.find("node-"); at != std::string_view::npos) argument.remove_prefix(at);
  if (!argument.starts_with(kName)) return std::nullopt;
  const auto value = number(argument.substr(std::min(argument.rfind('=') + 1, argument.size())));
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

// The mask of a node's pod range, if it is set for the controller manager.
std::optional<int> written_mask(const Object& control_plane) {
  const Node kubeadm = control_plane["spec.kubeadmConfigSpec.clusterConfiguration.controllerManager.extraArgs"];
  for (const Node argument : kubeadm.items()) {
    const std::string text = std::string(argument["name"].text()) + "=" + argument["value"].written();
    if (const auto mask = mask_in(text)) return mask;
  }
  for (const auto& [key, value] : kubeadm.members())
    if (const auto mask = mask_in(std::string(key) + "=" + value.written())) return mask;
  for (const Node& list : {control_plane["spec.serverConfig.kubeControllerManager.extraArgs"],
                           control_plane["spec.kthreesConfigSpec.serverConfig.kubeControllerManagerArgs"]}) {
    for (const Node argument : list.items())
      if (const auto mask = mask_in(argument.text())) return mask;
  }
  return std::nullopt;
}

std::int64_t power_of_two(int bits) { return bits < 0 ? 0 : std::int64_t{1} << std::min(bits, kMostBits); }

void check_pods(const ClusterParts& parts, const Range& pods, std::int64_t machines, Report& report) {
  const bool is_v4 = pods.network.family() == ip::Family::V4;
  if (!is_v4 && parts.control_plane_kind() == "AzureASOManagedControlPlane") return;  // AKS divides its /64 by itself
  int mask = is_v4 ? kNodeMask : kNodeMaskV6;
  if (parts.control_plane_kind() == "OCIManagedControlPlane") mask = kOracleNodeMask;
  if (parts.control_plane != nullptr && is_v4) mask = written_mask(*parts.control_plane).value_or(mask);
  const std::int64_t nodes = power_of_two(mask - pods.network.prefix_length);
  if (nodes >= machines) return;
  report
      .at(pods.text, "the pod range `{}` is enough for {} nodes, but there may be {}", ip::to_text(pods.network), nodes,
          machines)
      .note("each node gets a /{} of it; a node without one runs no pods", mask)
      .note("this counts the control planes and the maximum of each pool, with the surge of a rollout")
      .help("the range can't be changed later: use a larger one");
}

// Subtracts the gateway, the subnet's first and last address, and a port for DHCP.
void check_openstack(const ClusterParts& parts, std::int64_t machines, Report& report) {
  const Object& cloud = *parts.infrastructure;
  const Node cidr = cloud["spec.managedSubnets[0].cidr"];
  const auto subnet = network_in(cidr);
  if (!subnet || subnet->family() != ip::Family::V4) return;
  std::size_t unread_pools = 0;
  for (const Node one : cloud["spec.managedSubnets"].items()) unread_pools += one["allocationPools"].size();
  std::int64_t addresses = 0;
  bool has_pools = false;
  for (const AllocationRange& handed : neutron_allocation_ranges(cloud)) {
    has_pools = handed.is_pool;
    unread_pools -= handed.is_pool ? 1 : 0;
    addresses += static_cast<std::int64_t>(handed.span.last.number - handed.span.first.number) + 1;
  }
  if (unread_pools != 0) return;  // CAP302 reports the error
  const bool has_balancer = has_api_load_balancer(cloud);
  const std::int64_t needed = machines + 1 + (has_balancer ? 1 : 0);
  if (addresses >= needed) return;
  report
      .at(has_pools ? cloud["spec.managedSubnets[0].allocationPools"] : cidr,
          "the subnet has {} usable addresses, but {} may be needed", addresses, needed)
      .note("{} for machines, with the surge of a rollout, one for DHCP{}", machines,
            has_balancer ? ", one for the load balancer" : "")
      .help("use a larger {}", has_pools ? "pool" : "subnet");
}

// A cloud that reserves addresses in each subnet.
struct Keeper {
  std::string_view name, count;
  std::int64_t addresses;
};

void check_subnet(const Node& range, const Keeper& keeper, std::int64_t machines, Report& report) {
  const auto subnet = network_in(range);
  if (!subnet) return;
  const std::int64_t addresses = std::max<std::int64_t>(power_of_two(subnet->host_bits()) - keeper.addresses, 0);
  if (addresses >= machines) return;
  report.at(range, "the subnet has {} addresses, but there may be {} nodes", addresses, machines)
      .note("{1} reserves {0} of its addresses; this counts the maximum of each pool, with the surge of a rollout",
            keeper.count, keeper.name)
      .help("use a larger subnet");
}

// With several subnets, it is unknown which pool uses which.
void check_azure(const ClusterParts& parts, std::int64_t machines, Report& report) {
  const std::vector<Node> subnets = azure_resources(parts, "VirtualNetworksSubnet");
  if (subnets.size() == 1) check_subnet(subnets[0]["spec.addressPrefix"], {"Azure", "five", 5}, machines, report);
}

void check_oracle(const ClusterParts& parts, std::int64_t machines, Report& report) {
  if (parts.infrastructure_kind() != "OCIManagedCluster") return;
  std::vector<Node> ranges;
  for (const Node subnet : (*parts.infrastructure)["spec.networkSpec.vcn.subnets"].items())
    if (subnet["role"].text() == "worker") ranges.push_back(subnet["cidr"]);
  if (ranges.size() == 1) check_subnet(ranges[0], {"Oracle", "three", 3}, machines, report);
}

// Checks subnets that also provide the addresses of pods.
void check_subnets_of_eks(const Node& network, Report& report) {
  constexpr int kSmallest = 24, kUsualZones = 3, kMostZones = 64;
  const Node subnets = network["subnets"], vpc = network["vpc.cidrBlock"];
  for (const Node subnet : subnets.items()) {
    const auto range = network_in(subnet["cidrBlock"]);
    if (!range || range->prefix_length <= kSmallest) continue;
    report
        .at(subnet["cidrBlock"], "a /{} is small for an EKS subnet: pods get addresses of it, too",
            range->prefix_length)
        .help("use a /24 or larger");
  }
  const auto whole = network_in(vpc);
  if (subnets.size() != 0 || !whole) return;
  // The provider splits it into a private subnet per zone and one that it splits again for the public ones (CAPA 2.13,
  // getDefaultSubnets).
  const auto zones = static_cast<unsigned>(std::clamp<std::int64_t>(
      network["vpc.availabilityZoneUsageLimit"].integer().value_or(kUsualZones), 1, kMostZones));
  const int bits = std::bit_width(zones);
  if (whole->prefix_length + bits <= kSmallest) return;
  report
      .at(vpc, "subnets of this /{} have at most a /{}, which is small for EKS: pods get addresses of them, too",
          whole->prefix_length, whole->prefix_length + bits)
      .help("use a /{} or larger", kSmallest - bits);
}

void check_small_subnets(const ClusterParts& parts, Report& report) {
  if (parts.control_plane_kind() == "AWSManagedControlPlane" && pods_use_machine_network(parts))
    check_subnets_of_eks((*parts.control_plane)["spec.network"], report);
  if (parts.infrastructure_kind() != "OCIManagedCluster") return;
  for (const Node subnet : (*parts.infrastructure)["spec.networkSpec.vcn.subnets"].items()) {
    const auto network = network_in(subnet["cidr"]);
    if (subnet["role"].text() != "control-plane-endpoint" || !network || network->prefix_length <= 29) continue;
    report.at(subnet["cidr"], "a /{} is too small for the subnet of OKE's endpoint", network->prefix_length)
        .help("use a /29 or larger");
  }
}

void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  check_small_subnets(parts, report);
  const Machines machines = most_machines(parts);
  if (parts.infrastructure_kind() == "OpenStackCluster") check_openstack(parts, machines.all(), report);
  check_azure(parts, machines.pools, report);
  check_oracle(parts, machines.pools, report);
  if (pods_use_machine_network(parts) || parts.control_plane_kind() == "AWSManagedControlPlane") return;
  for (const Range& range : ranges_of(parts))
    if (range.use == Use::Pods) check_pods(parts, range, machines.all(), report);
}

}  // namespace

CW_LINT_RULE(network_capacity){
    .code = "CAP303",
    .name = "network-capacity",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a network that has fewer addresses than the cluster may need.

## Why is this bad?

The cluster stops growing, or an upgrade stops halfway. Each node takes a part of the pod range, a /24 by default
(`node-cidr-mask-size`); a node without one runs no pods. Each machine takes an address of its subnet. The rule counts the
control planes, the maximum of each pool (from the autoscaler's annotation or the provider's limit), and the surge of a
rollout.

Independent of the cluster's size, it reports EKS subnets smaller than a /24, a VPC for them that is smaller than a /22 with
three zones, and a subnet of OKE's endpoint that is smaller than a /29. It doesn't count nodes per AWS subnet, since pods
take addresses from it, too.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["10.244.0.0/20"]   # warning: [network-capacity] "the pod range `10.244.0.0/20` is enough for 16 nodes, but"
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
kind: MachineDeployment
metadata:
  name: pool
  annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "30"}
spec: {clusterName: prod}
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods: {cidrBlocks: ["10.244.0.0/20"]}
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  replicas: 3
  kubeadmConfigSpec:
    clusterConfiguration:
      controllerManager:
        extraArgs: [{name: node-cidr-mask-size, value: "26"}]
---
kind: MachineDeployment
metadata:
  annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "30"}
spec: {clusterName: prod}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::network_capacity
