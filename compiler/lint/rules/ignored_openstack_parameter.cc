// CAP601: parameters of OpenStack that the API server accepts but that have no effect.
#include "lint/engine/rule.h"
#include "lint/facts/networks.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::ignored_openstack_parameter {
namespace {

void check_tags(const Node& tags, Report& report) {
  for (const Node tag : tags.items()) {
    if (tag.text().find(',') == std::string_view::npos) continue;
    report.at(tag, "a tag can't contain a comma: `{}` matches no image", tag.text())
        .note("OpenStack treats a comma as the end of a tag")
        .help("write two list items");
  }
}

// Reports a block that is ignored because of another one.
void check_ignored(const Node& ignored, const Node& decides, std::string_view why, Report& report) {
  if (!ignored || !decides) return;
  report.at(ignored, "this is ignored beside `managedSubnets`: {}", why)
      .also(decides, "what is used")
      .help("keep one of the two");
}

// cluster-api-provider-openstack v0.14.7 pkg/cloud/services/loadbalancer/loadbalancer.go, getCanonicalAllowedCIDRs: an
// IPv6 range is left out with a warning. If no range is left, the load balancer is open to the whole world.
void check_allowed_ranges(const Node& ranges, Report& report) {
  for (const Node range : ranges.items()) {
    const auto network = network_in(range);
    if (!network || network->family() == ip::Family::V4) continue;
    report.at(range, "the load balancer ignores `{}`: the provider only applies IPv4 ranges", range.text())
        .note("it reports this in an event; if no IPv4 range is left, the load balancer accepts all addresses")
        .help("remove the range, and restrict IPv6 with a security group");
  }
}

void check(const Object& object, Report& report) {
  if (object.kind() == "OpenStackMachineTemplate") {
    check_tags(object["spec.template.spec.image.filter.tags"], report);
    return;
  }
  check_allowed_ranges(api_load_balancer(object)["allowedCIDRs"], report);
  const Node managed = object["spec.managedSubnets"];
  if (managed.size() == 0) return;
  check_ignored(object["spec.network"], managed, "the provider creates its own network", report);
  check_ignored(object["spec.subnets"], managed, "the provider creates its own subnet", report);
}

}  // namespace

CW_LINT_RULE(ignored_openstack_parameter){
    .code = "CAP601",
    .name = "ignored-openstack-parameter",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "OpenStackCluster OpenStackMachineTemplate",
    .docs = R"md(
## What it does

Reports an OpenStack parameter that the API server accepts and the provider ignores.

## Why is this bad?

* `network` or `subnets` beside `managedSubnets`: the provider creates a network and a subnet, and machines aren't where the
  manifest says. The network of a cluster can't be changed later.
* A tag with a comma: OpenStack treats it as two tags and finds no image.
* An IPv6 range in `allowedCIDRs`: the provider leaves it out, and a list without IPv4 ranges restricts nothing.

Parameters with both `id` and `filter`, with neither, or with an ID that isn't a UUID are rejected by the API server.

## Example

```yaml
kind: OpenStackCluster
metadata: {name: prod}
spec:
  managedSubnets: [{cidr: 10.6.0.0/24}]
  network:   # error: [ignored-openstack-parameter] "this is ignored beside `managedSubnets`: the provider"
    id: 3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11
  apiServerLoadBalancer:
    enabled: true
    allowedCIDRs:
      - 10.0.0.0/8
      - "2001:db8::/32"   # error: [ignored-openstack-parameter] "the load balancer ignores `2001:db8::/32`"
```

## Use instead

```yaml
kind: OpenStackCluster
metadata: {name: prod}
spec: {managedSubnets: [{cidr: 10.6.0.0/24}], router: {id: 3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11}}
---
kind: OpenStackCluster
metadata: {name: shared}
spec: {network: {filter: {name: vlan-120}}, subnets: [{filter: {name: vlan-120-v4}}]}
---
kind: OpenStackMachineTemplate
metadata: {name: prod}
spec: {template: {spec: {image: {filter: {name: node, tags: [kube, production]}}}}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::ignored_openstack_parameter
