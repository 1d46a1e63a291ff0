// CAP305: a pod range of the CNI that differs from the Cluster's.
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/cni.h"

namespace capwright::lint::rules::cni_pool_differs {
namespace {

std::vector<Range> ranges_for(const ClusterParts& parts, Use use) {
  std::vector<Range> found;
  for (const Range& range : ranges_of(parts))
    if (range.use == use) found.push_back(range);
  return found;
}

bool fits(const ip::Network& pool, const ip::Network& range, bool whole) {
  return whole ? pool.without_host_bits() == range.without_host_bits() : range.contains(pool);
}

// `wanted`: the ranges of the Cluster; without one of the same family, the pool isn't checked.
void compare(const PodPool& pool, const std::vector<Range>& wanted, std::string_view what, Report& report) {
  const auto network = network_in(pool.text);
  const Range* other = nullptr;
  for (const Range& range : wanted) {
    if (!network || range.network.family() != network->family()) continue;
    if (fits(*network, range.network, pool.whole)) return;
    other = &range;
  }
  if (other == nullptr) return;
  const std::string meant = ip::to_text(other->network);
  report
      .at(pool.text, "{} gives {} addresses of `{}`, but the Cluster has `{}`", pool.title, what, pool.text.text(),
          meant)
      .also(other->text, "of the Cluster")
      .note("kube-proxy and the controllers use the Cluster's range")
      .help("use `{}` in both", meant);
}

// Every range must be inside one of the Cluster's, whatever the chart's default is.
void compare_default(const DefaultPods& pods, const std::vector<Range>& wanted, Report& report) {
  const auto network = ip::parse_network(pods.range);
  const Range* other = nullptr;
  for (const Range& range : wanted) {
    if (!network || range.network.family() != network->family()) continue;
    if (range.network.contains(*network)) return;
    other = &range;
  }
  if (other == nullptr) return;
  const std::string meant = ip::to_text(other->network);
  report
      .at(pods.place, "{} gives pods addresses of `{}`, its default, but the Cluster has `{}`", pods.title, pods.range,
          meant)
      .also(other->text, "of the Cluster")
      .note("kube-proxy and the controllers use the Cluster's range")
      .help("set `{}: [{}]` in the values of the chart", pods.key, meant);
}

void check_texts(const Node& text, const std::vector<Range>& wanted, std::string_view title, std::string_view what,
                 Report& report) {
  const std::string_view all = text.text();
  if (all.find(',') == std::string_view::npos) return compare({title, text, true}, wanted, what, report);
  for (const Range& range : wanted) {
    const std::string form = ip::to_text(range.network);
    if (all.find(form) != std::string_view::npos) continue;
    report.at(text, "{} gives {} addresses of `{}`, but the Cluster has `{}`", title, what, all, form)
        .also(range.text, "of the Cluster")
        .help("use the Cluster's ranges");
    return;
  }
}

void check(const Object& cluster, Report& report) {
  const ClusterParts parts = parts_of(cluster);
  const std::vector<Range> pods = ranges_for(parts, Use::Pods), services = ranges_for(parts, Use::Services);
  if (parts.control_plane_kind() == "KThreesControlPlane") {
    const Node server = (*parts.control_plane)["spec.kthreesConfigSpec.serverConfig"];
    check_texts(server["clusterCidr"], pods, "k3s", "pods", report);
    check_texts(server["serviceCidr"], services, "k3s", "services", report);
  }
  if (parts.control_plane_kind() == "KubeadmControlPlane") {
    const Node network = (*parts.control_plane)["spec.kubeadmConfigSpec.clusterConfiguration.networking"];
    check_texts(network["podSubnet"], pods, "kubeadm", "pods", report);
    check_texts(network["serviceSubnet"], services, "kubeadm", "services", report);
  }
  // With several Clusters, it is unknown which one the CNI belongs to.
  if (pods.empty() || cluster.cluster().of_kind("Cluster").size() != 1) return;
  InnerObjects inner(cluster.cluster());
  for (const PodPool& pool : pod_pools_of(parts, inner)) compare(pool, pods, "pods", report);
  if (pods_use_machine_network(parts)) return;
  for (const DefaultPods& given : default_pods_of(cluster.cluster())) compare_default(given, pods, report);
}

}  // namespace

CW_LINT_RULE(cni_pool_differs){
    .code = "CAP305",
    .name = "cni-pool-differs",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a CNI, k3s or kubeadm configuration whose pod or service range differs from the `Cluster`.

## Why is this bad?

kube-proxy and the controllers treat the pods' addresses as external: traffic is masqueraded or lost, and network policies
don't match. Canal's `net-conf.json`, `clusterCidr` and `serviceCidr` of k3s, and kubeadm's `podSubnet` and `serviceSubnet`
must equal the range of the `Cluster`. Pools of Calico and Cilium must be inside it. Cilium without a pool uses `10.0.0.0/8`.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods: {cidrBlocks: ["192.168.0.0/16"]}
---
kind: ConfigMap
metadata: {name: canal}
data:
  canal.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: canal-config}
    data:
      net-conf.json: |
        {
          # error: [cni-pool-differs] "Canal gives pods addresses of `10.244.0.0/16`"
          "Network": "10.244.0.0/16",
          "Backend": {"Type": "vxlan"}
        }
```

## Use instead

```yaml file=clusters/prod/cluster.yaml
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods: {cidrBlocks: ["10.244.0.0/16", "fd00:10:244::/56"]}
    services: {cidrBlocks: ["10.96.0.0/16", "fd00:10:96::/112"]}
  controlPlaneRef: {kind: KThreesControlPlane, name: prod}
---
kind: KThreesControlPlane
metadata: {name: prod}
spec:
  kthreesConfigSpec:
    serverConfig:
      clusterCidr: 10.244.0.0/16,fd00:10:244::/56
      serviceCidr: 10.96.0.0/16,fd00:10:96::/112
```
```yaml file=clusters/prod/addons/calico/values.yaml
installation:
  calicoNetwork:
    ipPools:
      - cidr: 10.244.128.0/17
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::cni_pool_differs
