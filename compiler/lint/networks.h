// Where the machines, pods and services of a cluster get their addresses, as its manifests say for every provider.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/cluster.h"
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
// "the pods", "the subnet": what has the addresses.
std::string_view words_for(Use use);

// A text that is a range of addresses, or should be one.
struct RangeText {
  Use use;
  Node text;
  bool exists = false;  // somebody else has made the subnet or network already
};
struct Range {
  Use use;
  Node text;
  ip::Network network;  // as written, perhaps with host bits
  bool exists = false;
};

// In this order: networks and subnets of machines, pods, services, networks that are peered.
const std::vector<RangeText>& range_texts_of(const ClusterParts& parts);
// Those that can be read.
const std::vector<Range>& ranges_of(const ClusterParts& parts);
std::optional<ip::Network> network_in(const Node& text);

// Whether pods get addresses of the machines' network, so that the pods' range of the Cluster is not used.
bool pods_use_machine_network(const ClusterParts& parts);

// A network of the cloud that may carry several clusters: the network itself, a router, or a hub that it is peered
// with.
struct SharedNetwork {
  std::string identity;  // equal for the same one
  Node place;
  bool is_own_network;  // the machines' own; else one that theirs is attached to
};
// Those that a cluster names by something that is unique in the cloud.
std::vector<SharedNetwork> shared_networks_of(const ClusterParts& parts);

// Resources of that kind among those of Azure Service Operator that AzureASOManagedCluster and -ControlPlane hold.
std::vector<Node> azure_resources(const ClusterParts& parts, std::string_view kind);

// Addresses from `first` to `last`.
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
// `10.6.0.10-10.6.0.50` or `10.6.0.0/28`; nothing for another text.
std::optional<AddressSpan> parse_address_span(std::string_view text);
std::string to_text(const AddressSpan& span);

// What Neutron hands out in the subnet that Cluster API makes: its pools, or all but the first address, which is the
// gateway's.
struct HandedOut {
  AddressSpan span;
  Node place;  // the pool, or the subnet's range
  bool is_pool = false;
};
std::vector<HandedOut> handed_out_by_neutron(const Object& openstack_cluster);

}  // namespace capwright::lint
