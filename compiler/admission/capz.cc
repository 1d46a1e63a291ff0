// Azure: the network that the webhooks complete before they check it, and their additions to machines.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "admission/edit.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

constexpr std::string_view kVnetCidr = "10.0.0.0/8", kControlPlaneCidr = "10.0.0.0/16", kClusterCidr = "10.0.0.0/16";
constexpr std::string_view kInternalAddress = "10.0.0.100";
constexpr std::int64_t kIdleMinutes = 4;

bool is_absent(const Value* value) { return value == nullptr || value->is(Kind::Null); }
bool is_blank(const Value& value) { return value.is(Kind::String) && value.text().empty(); }
bool is_map(const Value* value) { return value != nullptr && value->is(Kind::Map); }

std::vector<Value> copied_items(const Value& map, std::string_view path) {
  const Value* list = find(map, path);
  if (list == nullptr || !list->is(Kind::List)) return {};
  return {list->items().begin(), list->items().end()};
}

bool has_ipv6(const Value& subnet) {
  const std::vector<Value> blocks = copied_items(subnet, "cidrBlocks");
  return std::any_of(blocks.begin(), blocks.end(), [](const Value& block) {
    return block.is(Kind::String) && block.text().find(':') != std::string_view::npos;
  });
}

// Sets unset fields, but keeps a value of the wrong type, which the schema then rejects.
class Completion {
 public:
  Completion(const Value& object, Arena& arena) : value_(object), arena_(arena) {}

  void text(std::string_view path, std::string_view value) {
    const Value* there = find(value_, path);
    if (is_absent(there) || is_blank(*there)) put(path, make_string(arena_, value));
  }
  void list(std::string_view path, std::string_view item) {
    if (copied_items(value_, path).empty()) put_items(path, {make_string(arena_, item)});
  }
  void number(std::string_view path, std::int64_t value) {
    if (is_absent(find(value_, path))) put(path, Value::integer(value));
  }
  void put(std::string_view path, const Value& value) { value_ = with(value_, path, value, arena_); }
  void put_items(std::string_view path, const std::vector<Value>& items) {
    const Value* list = find(value_, path);
    const Value made = make_list(arena_, items);
    if (is_absent(list)) return put(path, made);
    if (list->is(Kind::List)) put(path, made.with_origin(list->origin()));
  }
  void drop(std::string_view path) { value_ = without(value_, path, arena_); }

  const Value& value() const { return value_; }
  Arena& arena() const { return arena_; }

 private:
  Value value_;
  Arena& arena_;
};

// `cluster` is the cluster's name, the prefix of names of its parts; empty in templates, whose parts get no names.
Value completed_subnet(const Value& subnet, const std::string& cluster, std::size_t index, Arena& arena) {
  const std::string_view role = text_at(subnet, "role");
  const bool node = role == "node", control_plane = role == "control-plane";
  Completion filled(subnet, arena);
  std::string range(control_plane ? kControlPlaneCidr : kClusterCidr);
  if (node) range = fmt::format("10.{}.0.0/16", index);
  filled.list("cidrBlocks", range);
  if (cluster.empty()) return filled.value();
  std::string prefix = cluster;
  if (node) prefix += "-node";
  else if (control_plane) prefix += "-controlplane";
  filled.text("name", node ? fmt::format("{}-subnet-{}", prefix, index) : prefix + "-subnet");
  // The webhook also adds parts that are missing; no check depends on those.
  const std::string gateway = node ? fmt::format("{}-natgw-{}", prefix, index) : prefix + "-natgw";
  for (const auto& [part, name] :
       {std::pair{"securityGroup", prefix + "-nsg"}, {"routeTable", prefix + "-routetable"}, {"natGateway", gateway}}) {
    if (is_map(find(subnet, part))) filled.text(part + std::string(".name"), name);
  }
  return filled.value();
}

Value subnet_of(std::string_view role, Arena& arena) {
  const Entry entries[] = {{make_key(arena, "role"), make_string(arena, role)}};
  return make_map(arena, entries);
}

bool has_subnet(const std::vector<Value>& subnets, std::string_view role) {
  return std::any_of(subnets.begin(), subnets.end(),
                     [&](const Value& subnet) { return text_at(subnet, "role") == role; });
}

// For roles with exactly one subnet, the webhook overwrites all with the first.
void complete_only(std::vector<Value>& subnets, std::string_view role, const std::string& cluster, Arena& arena) {
  const auto has_role = [&](const Value& subnet) { return text_at(subnet, "role") == role; };
  const auto first = std::find_if(subnets.begin(), subnets.end(), has_role);
  if (first == subnets.end()) return;
  const Value filled = completed_subnet(*first, cluster, 0, arena);
  std::replace_if(subnets.begin(), subnets.end(), has_role, filled);
}

// The node subnet that the webhook adds; its names have no number.
Value added_node_subnet(const std::string& cluster, Arena& arena) {
  Completion made(subnet_of("node", arena), arena);
  if (cluster.empty()) return made.value();
  made.text("name", cluster + "-node-subnet");
  return made.value();
}

std::vector<Value> completed_subnets(std::vector<Value> subnets, bool control_plane, const std::string& cluster,
                                     Arena& arena) {
  const bool shared = has_subnet(subnets, "cluster");
  // Missing subnets of a template would get no name, and then be rejected for it.
  const bool complete = shared || cluster.empty();
  complete_only(subnets, "cluster", cluster, arena);
  if (control_plane && !complete && !has_subnet(subnets, "control-plane"))
    subnets.push_back(subnet_of("control-plane", arena));
  if (control_plane) complete_only(subnets, "control-plane", cluster, arena);
  if (!complete && !has_subnet(subnets, "node")) subnets.push_back(added_node_subnet(cluster, arena));
  std::size_t nodes = 0;
  for (Value& subnet : subnets) {
    if (text_at(subnet, "role") == "node") subnet = completed_subnet(subnet, cluster, ++nodes, arena);
  }
  return subnets;
}

void complete_lb_class(Completion& object, const std::string& lb) {
  object.text(lb + ".type", "Public");
  object.text(lb + ".sku", "Standard");
  object.number(lb + ".idleTimeoutInMinutes", kIdleMinutes);
}

void complete_api_server_lb(Completion& object, std::string_view cluster) {
  const std::string lb = "spec.networkSpec.apiServerLB";
  complete_lb_class(object, lb);
  const bool open = text_at(object.value(), lb + ".type") == "Public";
  object.text(lb + ".name", fmt::format("{}-{}-lb", cluster, open ? "public" : "internal"));
  if (!copied_items(object.value(), lb + ".frontendIPs").empty()) return;
  Completion frontend(make_map(object.arena(), {}), object.arena());
  frontend.text("name", fmt::format("{}-frontEnd", text_at(object.value(), lb + ".name")));
  if (open) frontend.text("publicIP.name", fmt::format("pip-{}-apiserver", cluster));
  else frontend.text("privateIP", kInternalAddress);
  object.put_items(lb + ".frontendIPs", {frontend.value()});
}

// Adds a load balancer for nodes if they have IPv6 and the API server is public.
void complete_node_outbound_lb(Completion& object, const std::string& network, bool public_api,
                               std::string_view cluster) {
  const std::string lb = network + ".nodeOutboundLB";
  if (!is_map(find(object.value(), lb))) {
    const std::vector<Value> subnets = copied_items(object.value(), network + ".subnets");
    const bool needed = std::any_of(subnets.begin(), subnets.end(), [](const Value& subnet) {
      return (text_at(subnet, "role") == "node" || text_at(subnet, "role") == "cluster") && has_ipv6(subnet);
    });
    if (!public_api || !needed) return;
  }
  complete_lb_class(object, lb);
  if (cluster.empty()) return;
  object.text(lb + ".name", cluster);
  object.number(lb + ".frontendIPsCount", 1);
}

void complete_peerings(Completion& object) {
  constexpr std::string_view kPeerings = "spec.networkSpec.vnet.peerings";
  std::vector<Value> peerings = copied_items(object.value(), kPeerings);
  if (peerings.empty()) return;
  for (Value& peering : peerings) {
    Completion filled(peering, object.arena());
    filled.text("resourceGroup", text_at(object.value(), "spec.resourceGroup"));
    peering = filled.value();
  }
  object.put_items(kPeerings, peerings);
}

Value fill_azure_cluster(const Value& object, Arena& arena) {
  if (!is_map(find(object, "spec"))) return object;
  const std::string cluster(text_at(object, "metadata.name")), network = "spec.networkSpec";
  const Value* enabled = find(object, "spec.controlPlaneEnabled");
  const bool control_plane = enabled != nullptr && enabled->is(Kind::Bool) && enabled->as_bool();
  Completion filled(object, arena);
  filled.text(network + ".vnet.resourceGroup", text_at(object, "spec.resourceGroup"));
  filled.text(network + ".vnet.name", cluster + "-vnet");
  filled.list(network + ".vnet.cidrBlocks", kVnetCidr);
  filled.put_items(network + ".subnets",
                   completed_subnets(copied_items(object, network + ".subnets"), control_plane, cluster, arena));
  complete_peerings(filled);
  if (control_plane) complete_api_server_lb(filled, cluster);
  else filled.drop(network + ".apiServerLB");
  const bool public_api = text_at(filled.value(), network + ".apiServerLB.type") == "Public";
  complete_node_outbound_lb(filled, network, public_api, cluster);
  const std::string outbound = network + ".controlPlaneOutboundLB";
  if (control_plane && is_map(find(filled.value(), outbound))) complete_lb_class(filled, outbound);
  return filled.value();
}

Value fill_cluster_template(const Value& object, Arena& arena) {
  if (!is_map(find(object, "spec.template.spec"))) return object;
  const std::string network = "spec.template.spec.networkSpec";
  Completion filled(object, arena);
  filled.list(network + ".vnet.cidrBlocks", kVnetCidr);
  filled.put_items(network + ".subnets",
                   completed_subnets(copied_items(object, network + ".subnets"), true, "", arena));
  complete_lb_class(filled, network + ".apiServerLB");
  const bool public_api = text_at(filled.value(), network + ".apiServerLB.type") == "Public";
  complete_node_outbound_lb(filled, network, public_api, "");
  const std::string outbound = network + ".controlPlaneOutboundLB";
  if (is_map(find(filled.value(), outbound))) complete_lb_class(filled, outbound);
  return filled.value();
}

// Assigns unused LUNs to disks, and their caching.
std::vector<Value> completed_disks(std::vector<Value> disks, Arena& arena) {
  std::set<std::int64_t> taken;
  const auto take = [&](const Value& disk) {
    const Value* lun = find(disk, "lun");
    if (lun != nullptr && lun->is(Kind::Int)) taken.insert(lun->as_int());
  };
  std::for_each(disks.begin(), disks.end(), take);
  for (Value& disk : disks) {
    std::int64_t next = 0;
    while (taken.count(next) != 0) ++next;
    Completion filled(disk, arena);
    filled.number("lun", next);
    const bool ultra = text_at(disk, "managedDisk.storageAccountType") == "UltraSSD_LRS";
    filled.text("cachingType", ultra ? "None" : "ReadWrite");
    disk = filled.value();
    take(disk);
  }
  return disks;
}

// Moves older fields into one interface; does nothing if both are set, which is rejected later.
void complete_interfaces(Completion& object, const std::string& spec) {
  const std::string list = spec + ".networkInterfaces";
  std::vector<Value> interfaces = copied_items(object.value(), list);
  Completion first(make_map(object.arena(), {}), object.arena());
  for (const auto& [field, kind] : {std::pair{"subnetName", Kind::String}, {"acceleratedNetworking", Kind::Bool}}) {
    const Value* older = find(object.value(), spec + "." + field);
    if (is_absent(older) || is_blank(*older)) continue;
    if (!interfaces.empty() || !older->is(kind)) return;
    first.put(field, *older);
  }
  if (interfaces.empty()) interfaces.push_back(first.value());
  for (Value& interface : interfaces) {
    Completion filled(interface, object.arena());
    if (is_empty(find(interface, "privateIPConfigs"))) filled.put("privateIPConfigs", Value::integer(1));
    interface = filled.value();
  }
  for (const char* field : {".subnetName", ".acceleratedNetworking"}) object.drop(spec + field);
  object.put_items(list, interfaces);
}

Value with_machine_defaults(const Value& object, const std::string& spec, Arena& arena) {
  if (!is_map(find(object, spec))) return object;
  Completion filled(object, arena);
  const std::vector<Value> disks = copied_items(object, spec + ".dataDisks");
  if (!disks.empty()) filled.put_items(spec + ".dataDisks", completed_disks(disks, arena));
  complete_interfaces(filled, spec);
  return filled.value();
}

Value fill_machine(const Value& object, Arena& arena) { return with_machine_defaults(object, "spec", arena); }
Value fill_machine_template(const Value& object, Arena& arena) {
  return with_machine_defaults(object, "spec.template.spec", arena);
}

constexpr Special kCapzSpecials[] = {{"AzureCluster", nullptr, fill_azure_cluster},
                                     {"AzureClusterTemplate", nullptr, fill_cluster_template},
                                     {"AzureMachine", nullptr, fill_machine},
                                     {"AzureMachineTemplate", nullptr, fill_machine_template}};

}  // namespace

std::span<const Special> capz_specials() { return kCapzSpecials; }

}  // namespace capwright::admission
