// The addresses of a cluster's machines, pods and services, from its manifests for any provider.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"
#include "text/ip_address.h"

namespace capwright::lint {

// A Cluster of Cluster API with the two objects that it refers to; null: not among the manifests.
struct ClusterParts {
  const Object* cluster = nullptr;
  const Object* infrastructure = nullptr;
  const Object* control_plane = nullptr;

  std::string_view control_plane_kind() const { return control_plane == nullptr ? "" : control_plane->kind(); }
  std::string_view infrastructure_kind() const { return infrastructure == nullptr ? "" : infrastructure->kind(); }
};
ClusterParts parts_of(const Object& cluster);

enum class Use : std::uint8_t { Network, Subnet, Pods, Services, Peer };
// The owner of the addresses in words: "the pods", "the subnet".
std::string_view words_for(Use use);

// A text that is, or should be, a CIDR range.
struct RangeText {
  Use use;
  Node text;
  bool exists = false;  // an existing subnet or network, which isn't created
};
struct Range {
  Use use;
  Node text;
  ip::Network network;  // as written, perhaps with host bits set
  bool exists = false;
};

// In this order: networks and subnets of machines, pods, services, peered networks.
const std::vector<RangeText>& range_texts_of(const ClusterParts& parts);
// The valid ones.
const std::vector<Range>& ranges_of(const ClusterParts& parts);
std::optional<ip::Network> network_in(const Node& text);

// Whether pods use addresses of the machines' network, so that the Cluster's pod range is unused.
bool pods_use_machine_network(const ClusterParts& parts);

// A network of the cloud that several clusters may share: the network itself, a router, or a hub that it is peered
// with.
struct SharedNetwork {
  std::string identity;  // equal for the same network
  Node place;
  bool is_own_network;  // the machines' network; otherwise one that it is attached to
};
// The shared networks that a cluster identifies by something unique in the cloud.
std::vector<SharedNetwork> shared_networks_of(const ClusterParts& parts);

// Resources of a kind among those of Azure Service Operator in AzureASOManagedCluster and -ControlPlane.
std::vector<Node> azure_resources(const ClusterParts& parts, std::string_view kind);

// The addresses from `first` to `last`.
struct AddressSpan {
  ip::Address first, last;
  bool overlaps(const AddressSpan& other) const {
    return first.family == other.first.family && first <= other.last && other.first <= last;
  }
  bool contains(const ip::Address& address) const {
    return address.family == first.family && first <= address && address <= last;
  }
};
AddressSpan span_of(const ip::Network& network);
// Parses `10.6.0.10-10.6.0.50` or `10.6.0.0/28`; empty for other texts.
std::optional<AddressSpan> parse_address_span(std::string_view text);
std::string to_text(const AddressSpan& span);

// The addresses that Neutron allocates in the subnet that Cluster API creates: its pools, or all but the first address,
// which is the gateway's.
struct AllocationRange {
  AddressSpan span;
  Node place;  // the pool, or the subnet's range
  bool is_pool = false;
};
std::vector<AllocationRange> neutron_allocation_ranges(const Object& openstack_cluster);

}  // namespace capwright::lint
