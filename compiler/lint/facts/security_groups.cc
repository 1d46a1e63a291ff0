// The field names of both API versions, with the semantics of Neutron.
#include "lint/facts/security_groups.h"

#include <algorithm>

#include "text/ip_address.h"

namespace capwright::lint {
namespace {

struct List {
  Path path;
  bool of_control_planes, of_workers;
};
constexpr List kLists[] = {
    {"spec.managedSecurityGroups.allNodesSecurityGroupRules", true, true},
    {"spec.managedSecurityGroups.clusterNodesSecurityGroupRules", true, true},
    {"spec.managedSecurityGroups.controlPlaneNodesSecurityGroupRules", true, false},
    {"spec.managedSecurityGroups.workerNodesSecurityGroupRules", false, true},
};

// Machines usually have addresses of their subnet, which a rule's prefix covers; a rule with another group is trusted.
bool comes_from(const Node& rule, Role role) {
  const Node groups = rule["remoteManagedGroups"];
  if (groups.size() == 0) return true;
  const std::string_view wanted = role == Role::ControlPlane ? "controlplane" : "worker";
  for (const Node group : groups.items())
    if (group.text() == wanted) return true;
  return false;
}

}  // namespace

std::string_view GroupRule::protocol() const {
  struct Number {
    std::string_view number, name;
  };
  constexpr Number kNumbers[] = {{"6", "tcp"},        {"17", "udp"}, {"1", "icmp"},
                                 {"58", "ipv6-icmp"}, {"ipip", "4"}, {"any", ""}};
  const std::string_view text = rule["protocol"].text();
  for (const Number& known : kNumbers)
    if (known.number == text) return known.name;
  return text;
}

bool GroupRule::has_port(std::int64_t port) const {
  const auto least = rule["portRangeMin"].integer(), most = rule["portRangeMax"].integer();
  return (!least || *least <= port) && (!most || port <= *most);
}

std::vector<GroupRule> group_rules_of(const Object& openstack_cluster) {
  std::vector<GroupRule> rules;
  for (const List& list : kLists) {
    for (const Node rule : openstack_cluster[list.path].items())
      rules.push_back({rule, list.of_control_planes, list.of_workers});
  }
  return rules;
}

bool has_remote(const Node& rule) {
  return rule["remoteManagedGroups"].size() != 0 || rule["remoteGroupID"] || rule["remoteIPPrefix"].exists();
}

bool lets_through(const std::vector<GroupRule>& rules, std::string_view protocol, std::int64_t port, Role from,
                  Role to) {
  return std::any_of(rules.begin(), rules.end(), [&](const GroupRule& rule) {
    if (!rule.is_ingress() || !(to == Role::ControlPlane ? rule.of_control_planes : rule.of_workers)) return false;
    if (!rule.protocol().empty() && rule.protocol() != protocol) return false;
    return (port == 0 || rule.has_port(port)) && comes_from(rule.rule, from);
  });
}

}  // namespace capwright::lint
