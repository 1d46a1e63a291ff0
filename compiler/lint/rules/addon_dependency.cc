// CAP803: add-ons without their dependencies.
#include "lint/engine/rule.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint::rules::addon_dependency {
namespace {

void check_needs(const InstalledAddon& installed, const InstalledAddons& addons, Report& report) {
  for (const std::string_view need : installed.addon->needs) {
    if (find_addon(addons, need) != nullptr) continue;
    report.at(*installed.object, "`{}` needs `{}`, which this cluster doesn't have", installed.addon->id, need)
        .help("add an Application of `{}`", need);
  }
}

// Whether a text in the tree creates address pools: an object, or a manifest in a ClusterResourceSet.
bool has_address_pool(const Cluster& cluster) {
  if (!cluster.of_kind("IPAddressPool").empty()) return true;
  for (const Object* object : cluster.of_kind("ConfigMap")) {
    for (const auto& [key, node] : (*object)["data"].members()) {
      if (node.text().find("kind: IPAddressPool") != std::string_view::npos) return true;
    }
  }
  return false;
}

// Pools may also be created elsewhere; only a tree that contains the Cluster counts as complete.
void check_address_pool(const InstalledAddons& addons, const Cluster& cluster, Report& report) {
  const InstalledAddon* metallb = find_addon(addons, "metallb");
  if (metallb == nullptr || cluster.of_kind("Cluster").empty() || has_address_pool(cluster)) return;
  report.at(*metallb->object, "MetalLB has no IPAddressPool")
      .note("every Service of type LoadBalancer stays pending")
      .help("add an IPAddressPool and an L2Advertisement or BGPAdvertisement for it");
}

void check_monitors(const InstalledAddon& installed, const InstalledAddons& addons, const Cluster& cluster,
                    Report& report) {
  if (find_addon(addons, "kube-prometheus-stack") != nullptr || cluster.of_kind("Cluster").empty()) return;
  if (find_chart(cluster, "prometheus-operator-crds") != nullptr) return;
  const Node monitor = values_of(installed, cluster)["serviceMonitor.enabled"];
  if (!monitor.is_true()) return;
  report.at(monitor, "ServiceMonitors are enabled, but no add-on installs their CRD")
      .note("Argo CD can't sync the chart: the API server doesn't know the kind ServiceMonitor")
      .help("install `kube-prometheus-stack` or `prometheus-operator-crds` before it, or disable them");
}

void check(const Cluster& cluster, Report& report) {
  for (const InstalledAddons& addons : addons_by_cluster(cluster)) {
    for (const InstalledAddon& installed : addons) {
      check_needs(installed, addons, report);
      check_monitors(installed, addons, cluster, report);
    }
    check_address_pool(addons, cluster, report);
  }
}

}  // namespace

CW_LINT_RULE(addon_dependency){
    .code = "CAP803",
    .name = "addon-dependency",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an add-on whose dependency is missing.

## Why is this bad?

`manila-csi` mounts shares with the NFS driver, MetalLB assigns addresses from pools, and a chart with ServiceMonitors needs
the CRDs of the Prometheus operator. The mistake shows late: pods wait for volumes, Services have no address, an Application
never syncs.

Pools and monitors are only checked in a tree that contains the cluster. In a folder of several clusters, the destination of
the Application decides.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-manila}   # error: [addon-dependency] "`manila-csi` needs `csi-driver-nfs`"
spec: {source: {chart: openstack-manila-csi}}
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-manila}
spec: {source: {chart: openstack-manila-csi}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-nfs}
spec: {source: {chart: csi-driver-nfs}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::addon_dependency
