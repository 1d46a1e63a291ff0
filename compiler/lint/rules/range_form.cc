// CAP302: address ranges with invalid syntax, or with a wrong family or size.
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "lint/engine/rule.h"
#include "lint/facts/networks.h"

namespace capwright::lint::rules::range_form {
namespace {

constexpr int kMostServiceBits = 20;  // the limit of the API server's allocator and of kubeadm

// Ranges in values have been checked, with a separate finding for host bits.
bool is_written_in_values(const Cluster& cluster, std::string_view text) {
  const Node network = cluster.values()["network"];
  if (network["node_cidr"].text() == text) return true;
  for (const Node& list : {network["pod_cidrs"], network["service_cidrs"]}) {
    for (const Node item : list.items())
      if (item.text() == text) return true;
  }
  return false;
}

bool could_be_range(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF.:/") == std::string_view::npos;
}

void check_text(const RangeText& range, const Cluster& cluster, Report& report) {
  const std::string_view text = range.text.text();
  const auto network = ip::parse_network(text);
  if (!network) {
    // The Cluster webhook itself rejects these.
    if (could_be_range(text) && range.use != Use::Pods && range.use != Use::Services)
      report.at(range.text, "`{}` isn't a CIDR", text).help("write it as `10.6.0.0/24`");
    return;
  }
  if (text.find('/') == std::string_view::npos) {
    if (range.use == Use::Pods || range.use == Use::Services) return;
    report.at(range.text, "`{}` is an address, not a range", text).help("write it as `{}/24`", text);
    return;
  }
  if (!network->has_host_bits() || is_written_in_values(cluster, text)) return;
  const std::string meant = ip::to_text(network->without_host_bits());
  report.at(range.text, "`{}` has host bits set", text)
      .help("did you mean `{}`?", meant)
      .fix(range.text, meant, Safety::Unsafe, "clear the host bits");
}

std::string families_of(const std::vector<Range>& ranges) {
  std::string families;
  for (const Range& range : ranges) {
    if (!families.empty()) families += " and ";
    families += ip::name(range.network.family());
  }
  return families;
}

void check_families(const std::vector<Range>& pods, const std::vector<Range>& services, Report& report) {
  for (const std::vector<Range>* ranges : {&pods, &services}) {
    if (ranges->size() < 2 || (*ranges)[0].network.family() != (*ranges)[1].network.family()) continue;
    const Range& second = (*ranges)[1];
    report
        .at(second.text, "{} have two {} ranges: `{}` and `{}`", words_for(second.use),
            ip::name(second.network.family()), ip::to_text((*ranges)[0].network), ip::to_text(second.network))
        .help("keep one of each family");
    return;
  }
  if (pods.empty() || services.empty() || families_of(pods) == families_of(services)) return;
  report
      .at(services[0].text, "services have {}, pods have {}: both need the same families in the same order",
          families_of(services), families_of(pods))
      .also(pods[0].text, "of the pods")
      .note("the first family is the cluster's primary one; components with another one don't start");
}

void check_services(const std::vector<Range>& services, Report& report) {
  for (const Range& range : services) {
    if (range.network.host_bits() <= kMostServiceBits) continue;
    const int least = ip::width(range.network.family()) - kMostServiceBits;
    report.at(range.text, "the service range `{}` is larger than a /{}", ip::to_text(range.network), least)
        .note("the API server keeps a bitmap of its addresses and rejects a larger range")
        .help("use a /{} or smaller", range.network.family() == ip::Family::V4 ? 16 : 112);
  }
}

// An address pool; empty if it is invalid or was reported.
std::optional<AddressSpan> check_pool(const Node& pool, const Node& cidr, Report& report) {
  const Node start = pool["start"], end = pool["end"];
  const auto first = ip::parse_address(start.text()), last = ip::parse_address(end.text());
  if (!first || !last || first->family != last->family) return std::nullopt;
  if (*last < *first) {
    report.at(start, "the allocation pool begins with `{}`, after its end `{}`", start.text(), end.text())
        .also(end, "its end")
        .note("Neutron rejects the subnet")
        .help("swap the two");
    return std::nullopt;
  }
  const auto subnet = network_in(cidr);
  if (!subnet) return std::nullopt;
  const AddressSpan all = span_of(*subnet);
  for (const auto& [node, address] : {std::pair(start, *first), std::pair(end, *last)}) {
    if (all.contains(address)) continue;
    report.at(node, "the allocation pool's `{}` is outside the subnet `{}`", node.text(), ip::to_text(*subnet))
        .also(cidr, "the subnet")
        .note("Neutron rejects the subnet")
        .help("use addresses of the subnet");
    return std::nullopt;
  }
  return AddressSpan{*first, *last};
}

void check_pools(const Object& cloud, Report& report) {
  for (const Node subnet : cloud["spec.managedSubnets"].items()) {
    std::vector<std::pair<AddressSpan, Node>> pools;
    for (const Node pool : subnet["allocationPools"].items()) {
      if (const auto span = check_pool(pool, subnet["cidr"], report)) pools.emplace_back(*span, pool["start"]);
    }
    std::stable_sort(pools.begin(), pools.end(),
                     [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
    for (std::size_t i = 1; i < pools.size(); ++i) {
      const auto& [before, earlier] = pools[i - 1];
      const auto& [span, place] = pools[i];
      if (!span.overlaps(before)) continue;
      report.at(place, "the allocation pools `{}` and `{}` overlap", to_text(before), to_text(span))
          .also(earlier, "the other one")
          .note("Neutron rejects the subnet")
          .help("keep each address in one pool");
      break;  // one overlap is enough
    }
  }
}

void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  if (parts.infrastructure_kind() == "OpenStackCluster") check_pools(*parts.infrastructure, report);
  for (const RangeText& range : range_texts_of(parts)) check_text(range, cluster.cluster(), report);
  std::vector<Range> pods, services;
  for (const Range& range : ranges_of(parts)) {
    if (range.use == Use::Pods) pods.push_back(range);
    if (range.use == Use::Services) services.push_back(range);
  }
  check_families(pods, services, report);
  check_services(services, report);
}

}  // namespace

CW_LINT_RULE(range_form){
    .code = "CAP302",
    .name = "range-form",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a range of addresses that isn't a valid CIDR, or that has the wrong family or size.

## Why is this bad?

* Host bits are set, as in `10.96.0.1/16`. Some components reject it, some use the network that contains it, and a cloud that
  corrects it differs from the manifest forever.
* Pods and services have different families or a different order of families, or two ranges of one family. The first family
  is the cluster's primary one, and kube-proxy and the API server must agree on it.
* The service range is larger than a /12, or a /108 for IPv6: the API server doesn't start.
* An allocation pool of an OpenStack subnet ends before it begins, is outside the subnet, or overlaps another one. Neutron
  rejects it, so the cluster gets no subnet.

For rendered clusters, values in `network.*` are reported by S091 instead.

## Example

```yaml
kind: Cluster
spec:
  clusterNetwork:
    services:
      cidrBlocks: ["10.96.0.1/16"]   # error: [range-form] "host bits set"
```

## Use instead

```yaml
kind: Cluster
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["10.244.0.0/16", "fd00:10:244::/56"]
    services:
      cidrBlocks: ["10.96.0.0/12", "fd00:10:96::/108"]
```

## Fix

Unsafe: clears the host bits.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::range_form
