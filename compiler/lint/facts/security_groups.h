// The rules of the security groups that Cluster API Provider OpenStack manages, and the traffic that they allow.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"

namespace capwright::lint {

enum class Role : std::uint8_t { ControlPlane, Worker };

// A rule, with the list that contains it.
struct GroupRule {
  Node rule;
  bool of_control_planes, of_workers;

  bool is_ingress() const { return rule["direction"].text() != "egress"; }
  // Lower case; common protocol numbers as names; empty: any.
  std::string_view protocol() const;
  // Whether its port range includes `port`; a rule without ports includes all.
  bool has_port(std::int64_t port) const;
};
// The rules of all lists, under the field names of v1beta1 and v1beta2.
std::vector<GroupRule> group_rules_of(const Object& openstack_cluster);

// The source that a rule allows; of several fields, the first that is set.
bool has_remote(const Node& rule);

// Whether a rule allows packets from machines of one role to machines of another.
bool lets_through(const std::vector<GroupRule>& rules, std::string_view protocol, std::int64_t port, Role from,
                  Role to);

}  // namespace capwright::lint
