// The rules of the security groups that Cluster API Provider OpenStack manages, and what they let through.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "lint/cluster.h"

namespace capwright::lint {

enum class Role : std::uint8_t { ControlPlane, Worker };

// A rule, with the list that it is in.
struct GroupRule {
  Node rule;
  bool of_control_planes, of_workers;

  bool is_ingress() const { return rule["direction"].text() != "egress"; }
  // Lower case; the numbers of the common ones as their names; empty: any.
  std::string_view protocol() const;
  // Whether a port is among its ports; without ports, all are.
  bool has_port(std::int64_t port) const;
};
// Of all lists, under the names of v1beta1 and v1beta2.
std::vector<GroupRule> group_rules_of(const Object& openstack_cluster);

// What a rule lets in from; of several the first that is set.
bool has_remote(const Node& rule);

// Whether some rule lets packets from machines of one role to those of another.
bool lets_through(const std::vector<GroupRule>& rules, std::string_view protocol, std::int64_t port, Role from,
                  Role to);

}  // namespace capwright::lint
