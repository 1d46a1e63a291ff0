// One function per provider: each stores its ranges elsewhere.
#include "lint/facts/networks.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/facts/machines.h"

namespace capwright::lint {
namespace {

void add(std::vector<RangeText>& texts, Use use, const Node& text, bool exists = false) {
  if (!text.text().empty()) texts.push_back({use, text, exists});
}

void add_all(std::vector<RangeText>& texts, Use use, const Node& list) {
  for (const Node text : list.items()) add(texts, use, text);
}

void add_openstack(const Object& object, std::vector<RangeText>& texts) {
  add(texts, Use::Subnet, object["spec.nodeCidr"]);  // before v1beta1
  for (const Node subnet : object["spec.managedSubnets"].items()) add(texts, Use::Subnet, subnet["cidr"]);
}

void add_aws(const Object& object, std::vector<RangeText>& texts) {
  const Node network = object["spec.network"];
  add(texts, Use::Network, network["vpc.cidrBlock"], network["vpc.id"].exists());
  for (const Node block : network["vpc.secondaryCidrBlocks"].items()) add(texts, Use::Network, block["ipv4CidrBlock"]);
  for (const Node subnet : network["subnets"].items())
    add(texts, Use::Subnet, subnet["cidrBlock"], subnet["id"].text().starts_with("subnet-"));
  add(texts, Use::Network, object["spec.secondaryCidrBlock"]);
}

void add_azure(const Object& object, std::vector<RangeText>& texts) {
  add_all(texts, Use::Network, object["spec.networkSpec.vnet.cidrBlocks"]);
  for (const Node subnet : object["spec.networkSpec.subnets"].items())
    add_all(texts, Use::Subnet, subnet["cidrBlocks"]);
}

void add_azure_resources(const ClusterParts& parts, std::vector<RangeText>& texts) {
  for (const Node& network : azure_resources(parts, "VirtualNetwork"))
    add_all(texts, Use::Network, network["spec.addressSpace.addressPrefixes"]);
  for (const Node& subnet : azure_resources(parts, "VirtualNetworksSubnet")) {
    add(texts, Use::Subnet, subnet["spec.addressPrefix"]);
    add_all(texts, Use::Subnet, subnet["spec.addressPrefixes"]);
  }
}

void add_oracle(const Object& object, std::vector<RangeText>& texts) {
  const Node network = object["spec.networkSpec.vcn"];
  add(texts, Use::Network, network["cidr"], network["id"].exists());
  for (const Node cidr : network["cidrs"].items()) {
    if (cidr.text() != network["cidr"].text()) add(texts, Use::Network, cidr);
  }
  for (const Node subnet : network["subnets"].items()) add(texts, Use::Subnet, subnet["cidr"], subnet["id"].exists());
}

void add_machines(const ClusterParts& parts, std::vector<RangeText>& texts) {
  const std::string_view kind = parts.infrastructure_kind();
  if (kind == "OpenStackCluster") add_openstack(*parts.infrastructure, texts);
  else if (kind == "AWSCluster") add_aws(*parts.infrastructure, texts);
  else if (kind == "AzureCluster") add_azure(*parts.infrastructure, texts);
  else if (kind == "OCICluster" || kind == "OCIManagedCluster") add_oracle(*parts.infrastructure, texts);
  else if (kind == "AzureASOManagedCluster") add_azure_resources(parts, texts);
  if (parts.control_plane_kind() == "AWSManagedControlPlane") add_aws(*parts.control_plane, texts);
  if (parts.control_plane_kind() == "AzureManagedControlPlane") {
    add(texts, Use::Network, (*parts.control_plane)["spec.virtualNetwork.cidrBlock"]);
    add(texts, Use::Subnet, (*parts.control_plane)["spec.virtualNetwork.subnet.cidrBlock"]);
  }
}

void add_shared(std::vector<SharedNetwork>& networks, std::string_view what, const Node& id, bool is_own) {
  if (!id.text().empty()) networks.push_back({fmt::format("{} `{}`", what, id.text()), id, is_own});
}

// A hub is unique by its name in a resource group of a subscription.
void add_azure_hubs(const Object& object, std::vector<SharedNetwork>& networks) {
  const std::string_view subscription = object["spec.subscriptionID"].text();
  if (subscription.empty()) return;
  for (const Node peering : object["spec.networkSpec.vnet.peerings"].items()) {
    const Node hub = peering["remoteVnetName"];
    if (hub.text().empty() || peering["resourceGroup"].text().empty()) continue;
    networks.push_back(
        {fmt::format("hub `{}/{}/{}`", subscription, peering["resourceGroup"].text(), hub.text()), hub, false});
  }
}

bool is_azure_overlay(const Node& profile) {
  return profile["networkPlugin"].text() != "azure" || profile["networkPluginMode"].text() == "overlay";
}

}  // namespace

ClusterParts parts_of(const Object& cluster) {
  return {&cluster, infrastructure_of(cluster), control_plane_of(cluster)};
}

std::string_view words_for(Use use) {
  switch (use) {
    case Use::Network: return "the network";
    case Use::Subnet: return "the subnet";
    case Use::Pods: return "the pods";
    case Use::Services: return "the services";
    case Use::Peer: return "a peered network";
  }
  return {};
}

namespace {

std::vector<RangeText> find_range_texts(const Object& cluster) {
  const ClusterParts parts = parts_of(cluster);
  std::vector<RangeText> texts;
  add_machines(parts, texts);
  add_all(texts, Use::Pods, (*parts.cluster)["spec.clusterNetwork.pods.cidrBlocks"]);
  add_all(texts, Use::Services, (*parts.cluster)["spec.clusterNetwork.services.cidrBlocks"]);
  if (parts.infrastructure_kind().starts_with("OCI")) {
    for (const Node rule : (*parts.infrastructure)["spec.networkSpec.vcnPeering.peerRouteRules"].items())
      add(texts, Use::Peer, rule["vcnCIDRRange"]);
  }
  return texts;
}

std::vector<Range> find_ranges(const Object& cluster) {
  std::vector<Range> ranges;
  for (const RangeText& range : cluster.memo_of_surroundings(find_range_texts)) {
    if (const auto network = network_in(range.text)) ranges.push_back({range.use, range.text, *network, range.exists});
  }
  return ranges;
}

}  // namespace

std::optional<ip::Network> network_in(const Node& text) {
  if (text.text().find('/') == std::string_view::npos) return std::nullopt;
  return ip::parse_network(text.text());
}

const std::vector<RangeText>& range_texts_of(const ClusterParts& parts) {
  return parts.cluster->memo_of_surroundings(find_range_texts);
}

const std::vector<Range>& ranges_of(const ClusterParts& parts) {
  return parts.cluster->memo_of_surroundings(find_ranges);
}

bool pods_use_machine_network(const ClusterParts& parts) {
  const std::string_view kind = parts.control_plane_kind();
  if (kind == "AWSManagedControlPlane") return !(*parts.control_plane)["spec.vpcCni.disable"].is_true();
  if (kind == "AzureManagedControlPlane") return !is_azure_overlay((*parts.control_plane)["spec"]);
  if (kind == "AzureASOManagedControlPlane") {
    for (const Node& cluster : azure_resources(parts, "ManagedCluster"))
      if (!is_azure_overlay(cluster["spec.networkProfile"])) return true;
  }
  if (kind == "OCIManagedControlPlane") {
    const Node options = (*parts.control_plane)["spec.clusterPodNetworkOptions"];
    for (const Node option : options.items())
      if (option["cniType"].text() == "OCI_VCN_IP_NATIVE") return true;
    return options.size() == 0;
  }
  return false;
}

std::vector<SharedNetwork> shared_networks_of(const ClusterParts& parts) {
  std::vector<SharedNetwork> networks;
  if (parts.infrastructure != nullptr) {
    const Object& cloud = *parts.infrastructure;
    if (cloud.kind() == "OpenStackCluster") {
      add_shared(networks, "network", cloud["spec.network.id"], true);
      add_shared(networks, "router", cloud["spec.router.id"], false);
    }
    add_shared(networks, "VPC", cloud["spec.network.vpc.id"], true);
    add_shared(networks, "VCN", cloud["spec.networkSpec.vcn.id"], true);
    add_shared(networks, "DRG", cloud["spec.networkSpec.vcnPeering.drg.id"], false);
    if (cloud.kind() == "AzureCluster") add_azure_hubs(cloud, networks);
  }
  if (parts.control_plane_kind() == "AWSManagedControlPlane")
    add_shared(networks, "VPC", (*parts.control_plane)["spec.network.vpc.id"], true);
  return networks;
}

std::vector<Node> azure_resources(const ClusterParts& parts, std::string_view kind) {
  std::vector<Node> found;
  for (const Object* holder : {parts.infrastructure, parts.control_plane}) {
    if (holder == nullptr || !holder->kind().starts_with("AzureASO")) continue;
    for (const Node resource : (*holder)["spec.resources"].items())
      if (resource["kind"].text() == kind) found.push_back(resource);
  }
  return found;
}

AddressSpan span_of(const ip::Network& network) { return {network.first(), network.last()}; }

std::optional<AddressSpan> parse_address_span(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) {
    const auto network = ip::parse_network(text);
    return network ? std::optional(span_of(*network)) : std::nullopt;
  }
  const auto trimmed = [](std::string_view part) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    return part.substr(0, part.find_last_not_of(' ') + 1);
  };
  const auto first = ip::parse_address(trimmed(text.substr(0, dash)));
  const auto last = ip::parse_address(trimmed(text.substr(dash + 1)));
  if (!first || !last || first->family != last->family || *last < *first) return std::nullopt;
  return AddressSpan{*first, *last};
}

std::string to_text(const AddressSpan& span) {
  return fmt::format("{}-{}", ip::to_text(span.first), ip::to_text(span.last));
}

std::vector<AllocationRange> neutron_allocation_ranges(const Object& openstack_cluster) {
  std::vector<AllocationRange> spans;
  for (const Node subnet : openstack_cluster["spec.managedSubnets"].items()) {
    for (const Node pool : subnet["allocationPools"].items()) {
      const auto first = ip::parse_address(pool["start"].text());
      const auto last = ip::parse_address(pool["end"].text());
      if (first && last && first->family == last->family && *first <= *last)
        spans.push_back({{*first, *last}, pool["start"], true});
    }
    if (subnet["allocationPools"].size() != 0) continue;
    const auto network = network_in(subnet["cidr"]);
    if (!network || network->host_bits() < 2) continue;
    AddressSpan all = span_of(*network);
    all.first.number += 2;
    if (network->family() == ip::Family::V4) all.last.number -= 1;
    spans.push_back({all, subnet["cidr"], false});
  }
  return spans;
}

}  // namespace capwright::lint
