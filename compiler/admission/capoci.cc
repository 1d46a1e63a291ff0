// Oracle Cloud: subnets that the webhook adds and then checks to be inside the VCN like all others.
#include <algorithm>

#include "admission/edit.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

struct Subnet {
  std::string_view role, name, cidr, type;
};
constexpr Subnet kEndpoint{"control-plane-endpoint", "control-plane-endpoint", "10.0.0.8/29", "public"};
constexpr Subnet kControlPlane{"control-plane", "control-plane", "10.0.0.0/29", "private"};
constexpr Subnet kService{"service-lb", "service-lb", "10.0.0.32/27", "public"};
constexpr Subnet kWorker{"worker", "worker", "10.0.64.0/20", "private"};
constexpr Subnet kPod{"pod", "pod", "10.0.128.0/18", "private"};
constexpr std::string_view kDefaultVcn = "10.0.0.0/16";

constexpr std::string_view kSubnets = "spec.networkSpec.vcn.subnets", kCidr = "spec.networkSpec.vcn.cidr";

bool leaves_network_alone(const Value& object) {
  const Value* skip = find(object, "spec.networkSpec.skipNetworkManagement");
  return skip != nullptr && skip->is(Kind::Bool) && skip->as_bool();
}

Value made(const Subnet& subnet, Arena& arena) {
  const std::pair<std::string_view, std::string_view> fields[] = {
      {"role", subnet.role}, {"name", subnet.name}, {"cidr", subnet.cidr}, {"type", subnet.type}};
  std::vector<Entry> entries;
  for (const auto& [key, text] : fields) entries.push_back({make_key(arena, key), make_string(arena, text)});
  return make_map(arena, entries);
}

std::vector<Value> subnets_of(const Value& object) {
  const Value* list = find(object, kSubnets);
  if (list == nullptr || !list->is(Kind::List)) return {};
  return {list->items().begin(), list->items().end()};
}

// Adds subnets for all roles, each with a CIDR.
Value fill_oci_cluster(const Value& object, Arena& arena) {
  const Value* spec = object.find("spec");
  const bool fits = spec != nullptr && spec->is(Kind::Map) && !leaves_network_alone(object);
  if (!fits) return object;
  std::vector<Value> subnets = subnets_of(object);
  for (const Subnet& wanted : {kEndpoint, kControlPlane, kService, kWorker}) {
    bool found = false;
    for (Value& subnet : subnets) {
      if (text_at(subnet, "role") != wanted.role) continue;
      // For roles with exactly one subnet, the webhook uses the first.
      if (text_at(subnet, "cidr").empty() && (!found || wanted.role == kWorker.role))
        subnet = with(subnet, "cidr", make_string(arena, wanted.cidr), arena);
      found = true;
    }
    if (!found) subnets.push_back(made(wanted, arena));
  }
  const Value* list = find(object, kSubnets);
  const Value filled = make_list(arena, subnets);
  return with(object, kSubnets, list != nullptr ? filled.with_origin(list->origin()) : filled, arena);
}

// Adds four subnets if there are none, and a CIDR to a VCN that has none, regardless of `cidrs`.
Value fill_managed_cluster(const Value& object, Arena& arena) {
  const Value* spec = object.find("spec");
  const bool fits = spec != nullptr && spec->is(Kind::Map) && !leaves_network_alone(object);
  if (!fits) return object;
  Value filled = object;
  if (subnets_of(object).empty()) {
    std::vector<Value> subnets;
    for (const Subnet& wanted : {kEndpoint, kService, kWorker, kPod}) subnets.push_back(made(wanted, arena));
    filled = with(filled, kSubnets, make_list(arena, subnets), arena);
  }
  if (text_at(filled, kCidr).empty()) filled = with(filled, kCidr, make_string(arena, kDefaultVcn), arena);
  return filled;
}

constexpr Special kCapociSpecials[] = {{"OCICluster", nullptr, fill_oci_cluster},
                                       {"OCIManagedCluster", nullptr, fill_managed_cluster}};

}  // namespace

std::span<const Special> capoci_specials() { return kCapociSpecials; }

}  // namespace capwright::admission
