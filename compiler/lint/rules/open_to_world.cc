// CAP309: API servers and node ports that are open to the internet.
#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/openstack.h"
#include "lint/facts/security_groups.h"

namespace capwright::lint::rules::open_to_world {
namespace {

// Only other machines of the cluster, or an administrator, need to reach these.
constexpr std::int64_t kInnerPorts[] = {22, 2379, 2380, 10250};

constexpr std::int64_t kApiPort = 6443;

bool is_world(const Node& range) { return range.text() == "0.0.0.0/0" || range.text() == "::/0"; }

Node world_in(const Node& list) {
  for (const Node range : list.items())
    if (is_world(range)) return range;
  return {};
}

// An API server without an allow-list is a common start and the clouds' default, so it only gets advice. An allow-list
// that includes every address is a mistake or a decision.
void check_list(const Node& list, std::string_view what, std::string_view field, Report& report) {
  if (const Node world = world_in(list)) {
    report.at(world, "the whole internet can reach {}", what)
        .note("any vulnerability of the API server and any leaked credential can then be used from anywhere")
        .help("list the networks that need it, or suppress this finding with a reason");
  } else if (list.size() == 0) {
    auto& finding = report.at(list, "without `{}`, the whole internet can reach {}", field, what);
    finding.severity = Severity::Note;
    finding.help("list the networks that need it in `{}`", field);
  }
}

void report_port(const Node& place, std::int64_t port, std::string_view instead, Report& report) {
  auto& finding = report.at(place, "port {} of the nodes is open to the whole world", port);
  finding.severity = Severity::Error;
  finding.help("allow only those who need it: {}", instead);
}

// For clouds whose security rules deny all by default: there, the rule expresses the default.
void report_open_api(const Node& place, Report& report) {
  auto& finding = report.at(place, "the whole internet can reach the API");
  finding.severity = Severity::Note;
  finding.help("allow only the networks that need it");
}

struct Ports {
  std::int64_t first, last;
  bool has(std::int64_t port) const { return first <= port && port <= last; }
};

// Reports the ports that a rule opens to every address.
void check_ports(const Ports& ports, const Node& place, Report& report) {
  const auto inner =
      std::find_if(std::begin(kInnerPorts), std::end(kInnerPorts), [&](std::int64_t port) { return ports.has(port); });
  if (inner != std::end(kInnerPorts)) report_port(place, *inner, "a range of yours", report);
  else if (ports.has(kApiPort)) report_open_api(place, report);
}

void check_openstack(const Object& cloud, Report& report) {
  const Node balancer = api_load_balancer(cloud);
  const bool is_inner = cloud["spec.disableAPIServerFloatingIP"].is_true() ||
                        cloud["spec.disableExternalNetwork"].is_true() ||
                        !cloud["spec.apiServer.enableFloatingIP"].boolean().value_or(true) ||
                        !cloud["spec.enableExternalNetwork"].boolean().value_or(true);
  if (!has_api_load_balancer(cloud) || is_inner) return;
  std::string what = "the API";
  for (const Node port : balancer["additionalPorts"].items()) what += fmt::format(" and port {}", port.written());
  check_list(balancer["allowedCIDRs"], what, "allowedCIDRs", report);
}

// The rules of the load balancer; without any, the provider opens it to every address.
void check_aws(const Object& cloud, Report& report) {
  const Node balancer = cloud["spec.controlPlaneLoadBalancer"], rules = balancer["ingressRules"];
  if (balancer["scheme"].text() == "internal" || balancer["loadBalancerType"].text() == "disabled") return;
  if (rules.size() == 0) check_list(rules, "the API", "ingressRules", report);
  for (const Node rule : rules.items())
    if (world_in(rule["cidrBlocks"])) check_list(rule["cidrBlocks"], "the API", "cidrBlocks", report);
}

void check_group_rules(const Object& cloud, Report& report) {
  for (const GroupRule& rule : group_rules_of(cloud)) {
    const Node prefix = rule.rule["remoteIPPrefix"];
    if (!is_world(prefix) || !rule.is_ingress() || rule.protocol() == "udp" || rule.protocol().find("icmp") == 0)
      continue;
    for (const std::int64_t port : kInnerPorts) {
      if (!rule.has_port(port)) continue;
      report_port(prefix, port, "`remoteManagedGroups`, or a prefix of yours", report);
      break;
    }
  }
}

void check_aws_rules(const Node& rules, Report& report) {
  for (const Node rule : rules.items()) {
    const Node world = world_in(rule["cidrBlocks"]);
    const std::int64_t first = rule["fromPort"].integer().value_or(0), last = rule["toPort"].integer().value_or(65535);
    if (!world || rule["protocol"].text() == "udp" || rule["protocol"].text().find("icmp") == 0) continue;
    for (const std::int64_t port : kInnerPorts) {
      if (port < first || last < port) continue;
      report_port(world, port, "`sourceSecurityGroupRoles`, or a range of yours", report);
      break;
    }
  }
}

void check_oracle(const Object& cloud, Report& report) {
  for (const Node group : cloud["spec.networkSpec.vcn.networkSecurityGroup.list"].items()) {
    for (const Node item : group["ingressRules"].items()) {
      const Node rule = item["ingressRule"], ports = rule["tcpOptions.destinationPortRange"];
      const bool is_tcp = rule["protocol"].text() == "6" || rule["protocol"].text() == "all";
      if (!is_world(rule["source"]) || !is_tcp) continue;
      check_ports({ports["min"].integer().value_or(0), ports["max"].integer().value_or(65535)}, rule["source"], report);
    }
  }
}

// "22", "8000-8999" or "*".
std::optional<Ports> azure_ports(std::string_view text) {
  if (text == "*") return Ports{0, 65535};
  const std::size_t dash = text.find('-');
  const std::optional<std::int64_t> first = whole_number(text.substr(0, dash));
  const std::optional<std::int64_t> last = dash == std::string_view::npos ? first : whole_number(text.substr(dash + 1));
  return first && last ? std::optional(Ports{*first, *last}) : std::nullopt;
}

void check_azure(const Object& cloud, Report& report) {
  for (const Node subnet : cloud["spec.networkSpec.subnets"].items()) {
    for (const Node rule : subnet["securityGroup.securityRules"].items()) {
      const Node source = rule["source"];
      const bool is_open = source.text() == "*" || source.text() == "Internet" || is_world(source);
      const bool lets_in = rule["direction"].text() == "Inbound" && rule["action"].text() != "Deny";
      const bool is_tcp = rule["protocol"].text() == "Tcp" || rule["protocol"].text() == "*";
      const std::optional<Ports> ports = azure_ports(rule["destinationPorts"].text());
      if (is_open && lets_in && is_tcp && ports) check_ports(*ports, source, report);
    }
  }
}

void check_apis(const Object& object, Report& report) {
  if (object.kind() == "OpenStackCluster") check_openstack(object, report);
  if (object.kind() == "AWSCluster") check_aws(object, report);
  if (object.kind() == "AWSManagedControlPlane" && object["spec.endpointAccess.public"].boolean().value_or(true))
    check_list(object["spec.endpointAccess.publicCIDRs"], "the API", "publicCIDRs", report);
  const auto check_profile = [&](const Node& profile) {
    if (!profile["enablePrivateCluster"].is_true())
      check_list(profile["authorizedIPRanges"], "the API", "authorizedIPRanges", report);
  };
  if (object.kind() == "AzureManagedControlPlane") check_profile(object["spec.apiServerAccessProfile"]);
  for (const Node resource : object["spec.resources"].items())
    if (resource["kind"].text() == "ManagedCluster") check_profile(resource["spec.apiServerAccessProfile"]);
}

void check(const Object& object, Report& report) {
  check_apis(object, report);
  check_group_rules(object, report);
  for (const Node& rules :
       {object["spec.network.additionalControlPlaneIngressRules"], object["spec.network.additionalNodeIngressRules"]})
    check_aws_rules(rules, report);
  if (object.kind().starts_with("OCI")) check_oracle(object, report);
  if (object.kind() == "AzureCluster") check_azure(object, report);
}

}  // namespace

CW_LINT_RULE(open_to_world){
    .code = "CAP309",
    .name = "open-to-world",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds =
        "OpenStackCluster AWSCluster AWSManagedControlPlane AzureASOManagedControlPlane AzureManagedControlPlane "
        "AzureCluster OCICluster OCIManagedCluster",
    .docs = R"md(
## What it does

Reports an API or a management port that is open to the internet.

## Why is this bad?

Scanners find a public API within minutes. Any vulnerability of the API server and any leaked credential can then be used
from anywhere. SSH, etcd and the kubelet (ports 22, 2379, 2380, 10250) open to the world are an error, `0.0.0.0/0` in the
list of allowed networks is a warning.

No list at all, every provider's default, is a note, since the address may be private. So is a rule of an Azure or Oracle
security group that allows all addresses, which is how these providers write the default. On OpenStack, the list also applies
to `additionalPorts`.

## Example

```yaml
kind: OpenStackCluster
spec:
  apiServerLoadBalancer:
    enabled: true
    additionalPorts: [9345]
    allowedCIDRs:
      - 10.0.0.0/8
      - 0.0.0.0/0   # warning: [open-to-world] "the whole internet can reach the API and port 9345"
  managedSecurityGroups:
    controlPlaneNodesSecurityGroupRules:
      - {name: ssh, protocol: tcp, portRangeMin: 22, portRangeMax: 22, remoteIPPrefix: 0.0.0.0/0}   # error: [open-to-world] "port 22"
```

## Use instead

```yaml
kind: OpenStackCluster
spec:
  apiServerLoadBalancer: {enabled: true, allowedCIDRs: [10.0.0.0/8]}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: OpenStackCluster
spec:
  apiServer: {enableFloatingIP: false, managedLoadBalancer: {}}
---
kind: OpenStackCluster
spec:
  disableAPIServerFloatingIP: true
  apiServerLoadBalancer: {enabled: true}
  managedSecurityGroups:
    controlPlaneNodesSecurityGroupRules:
      - {name: api, protocol: tcp, portRangeMin: 443, portRangeMax: 443, remoteIPPrefix: 0.0.0.0/0}
---
kind: AWSManagedControlPlane
spec:
  endpointAccess: {public: false, private: true}
---
kind: AWSCluster
spec:
  controlPlaneLoadBalancer: {scheme: internal}
---
kind: AzureASOManagedControlPlane
spec:
  resources:
    - kind: ManagedCluster
      spec: {apiServerAccessProfile: {enablePrivateCluster: true}}
---
kind: AzureCluster
spec:
  networkSpec:
    subnets:
      - securityGroup:
          securityRules:
            - {direction: Inbound, action: Allow, protocol: Tcp, source: 192.0.2.0/24, destinationPorts: "6443"}
            - {direction: Inbound, action: Deny, protocol: Tcp, source: "*", destinationPorts: "22"}
            - {direction: Outbound, action: Allow, protocol: Tcp, source: "*", destinationPorts: "6443"}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::open_to_world
