// CAP310: security group rules that Neutron rejects, or interprets differently than they look.
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/networks.h"
#include "lint/facts/security_groups.h"

namespace capwright::lint::rules::security_group_rule {
namespace {

// The webhook checks this in two of the lists.
bool is_checked_by_webhook(const GroupRule& rule) { return rule.of_control_planes && rule.of_workers; }

void check_remotes(const GroupRule& rule, Report& report) {
  const Node groups = rule.rule["remoteManagedGroups"], id = rule.rule["remoteGroupID"];
  const Node prefix = rule.rule["remoteIPPrefix"];
  const int count = (groups ? 1 : 0) + (id ? 1 : 0) + (prefix ? 1 : 0);
  if (count > 1 && !is_checked_by_webhook(rule)) {
    report.at(prefix ? prefix : id, "a rule can have one remote, but this one has {}", count)
        .also(groups ? groups : id, "another one")
        .help("write one rule for each");
  } else if (!has_remote(rule.rule) && rule.is_ingress()) {
    report.at(rule.rule, "a rule without a remote allows the whole world")
        .note("without one, Neutron uses `0.0.0.0/0`")
        .help("add `remoteManagedGroups: [controlplane, worker]`, or a `remoteIPPrefix` if that is intended");
  }
  const auto network = network_in(prefix);
  const std::string_view type = rule.rule["etherType"].text();
  if (!network || type.empty() || type == ip::name(network->family())) return;
  report.at(prefix, "`{}` is {}, but the rule's `etherType` is {}", prefix.text(), ip::name(network->family()), type)
      .also(rule.rule["etherType"], "the rule's type")
      .help("write `etherType: {}`", ip::name(network->family()))
      .fix(rule.rule["etherType"], std::string(ip::name(network->family())), Safety::Unsafe, "use the prefix's family");
}

void check_ports(const GroupRule& rule, Report& report) {
  const Node least = rule.rule["portRangeMin"], most = rule.rule["portRangeMax"];
  const std::string_view protocol = rule.protocol();
  if (!least && !most) return;
  if (protocol.empty()) {
    report.at(least ? least : most, "a rule for all protocols can't have ports")
        .help("add `protocol: tcp`, or remove the ports");
  } else if (protocol == "4") {
    report.at(least ? least : most, "protocol `{}` can't have ports", rule.rule["protocol"].text())
        .note("it is IP in IP; only `tcp` and `udp` have ports")
        .help("remove the ports");
  } else if (least.integer() && most.integer() && *least.integer() > *most.integer() &&
             protocol.find("icmp") == std::string_view::npos) {
    report.at(least, "the port range from {} to {} is empty", *least.integer(), *most.integer())
        .also(most, "the last port")
        .help("write the lower one first")
        .fix_plain(least, most.written(), Safety::Unsafe, "swap the ports")
        .fix_plain(most, least.written(), Safety::Unsafe, "");
  } else if (protocol.find("icmp") != std::string_view::npos &&
             (least.integer().value_or(0) > 255 || most.integer().value_or(0) > 255)) {
    report.at(least, "in a rule for ICMP, `portRangeMin` and `portRangeMax` are its type and code, up to 255")
        .help("remove them to allow all of ICMP");
  }
}

void check(const Object& cloud, Report& report) {
  for (const GroupRule& rule : group_rules_of(cloud)) {
    check_remotes(rule, report);
    check_ports(rule, report);
  }
}

}  // namespace

CW_LINT_RULE(security_group_rule){
    .code = "CAP310",
    .name = "security-group-rule",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "OpenStackCluster",
    .docs = R"md(
## What it does

Reports a security group rule that Neutron rejects, or that allows more than it seems to.

## Why is this bad?

If Neutron rejects a rule, the cluster's controller stops before the first machine.

* Without a remote, Neutron allows the whole world.
* With several remotes, the rule is invalid. The webhook of `OpenStackCluster` only checks rules for all nodes, not those for
  control planes or workers.
* The ports are in the wrong order, or the protocol has none (`"4"`, IP in IP), or is missing. For ICMP, they are type and
  code.
* `etherType` isn't the family of the prefix.

## Example

```yaml
kind: OpenStackCluster
spec:
  managedSecurityGroups:
    allNodesSecurityGroupRules:
      # error: [security-group-rule] "a rule without a remote allows the whole world"
      - name: bgp
        direction: ingress
        protocol: tcp
        portRangeMin: 179
        portRangeMax: 179
    controlPlaneNodesSecurityGroupRules:
      - name: etcd
        remoteManagedGroups: [worker]
        remoteIPPrefix: 10.6.0.0/24   # error: [security-group-rule] "this one has 2"
    workerNodesSecurityGroupRules:
      - protocol: tcp
        portRangeMin: 32767   # error: [security-group-rule] "the port range from 32767 to 30000 is empty"
        portRangeMax: 30000
        remoteManagedGroups: [worker]
      - protocol: "4"
        portRangeMin: 179   # error: [security-group-rule] "protocol `4` can't have ports"
        portRangeMax: 179
        remoteManagedGroups: [worker]
      - portRangeMin: 53   # error: [security-group-rule] "a rule for all protocols can't have ports"
        portRangeMax: 53
        remoteManagedGroups: [worker]
      - protocol: icmp
        portRangeMin: 8472   # error: [security-group-rule] "type and code"
        remoteManagedGroups: [worker]
      - protocol: tcp
        etherType: IPv4
        remoteIPPrefix: fd00::/64   # error: [security-group-rule] "is IPv6"
```

## Use instead

```yaml
kind: OpenStackCluster
spec:
  managedSecurityGroups:
    allNodesSecurityGroupRules:
      - {name: ipip, protocol: "4", remoteManagedGroups: [controlplane, worker]}
      - {name: ping, protocol: icmp, portRangeMin: 8, portRangeMax: 0, remoteManagedGroups: [controlplane, worker]}
      - {name: out, direction: egress, protocol: tcp, portRangeMin: 443, portRangeMax: 443}
    controlPlaneNodesSecurityGroupRules:
      - {name: api, protocol: tcp, portRangeMin: 443, portRangeMax: 443, etherType: IPv4, remoteIPPrefix: 0.0.0.0/0}
```

## Fix

Unsafe: writes the family of the prefix, or swaps the ports.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::security_group_rule
