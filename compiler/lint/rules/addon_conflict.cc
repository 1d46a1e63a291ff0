// CAP801: add-ons that conflict in one cluster.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint::rules::addon_conflict {
namespace {

bool has(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void report_pair(const InstalledAddon& a, const InstalledAddon& b, std::string_view why, Report& report) {
  report.at(*b.object, "`{}` and `{}` conflict in one cluster", a.addon->id, b.addon->id)
      .also(*a.object, "the other one")
      .note("{}", why)
      .help("keep one of them");
}

void check_pair(const InstalledAddon& a, const InstalledAddon& b, Report& report) {
  if (a.addon == b.addon) return;
  if (a.addon->role == "cni" && b.addon->role == "cni")
    return report_pair(a, b, "only one CNI can own the pod network; two overwrite each other's files in /etc/cni",
                       report);
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const values::Conflict& conflict : one->addon->conflicts) {
      if (conflict.with == other->addon->id) return report_pair(a, b, conflict.why, report);
    }
  }
}

// Reports clusters that an add-on doesn't support, whatever other add-ons exist.
void check_place(const InstalledAddon& installed, const Flavor& flavor, Report& report) {
  const values::Addon& addon = *installed.addon;
  const bool known_cloud = !flavor.provider.empty(), known_type = !flavor.kubernetes_type.empty();
  if (known_cloud && !addon.providers.empty() && !has(addon.providers, flavor.provider)) {
    report.at(*installed.object, "`{}` doesn't work on {}", addon.id, flavor.provider)
        .also(flavor.where, "the cluster is here")
        .help("leave it out");
    return;
  }
  for (const values::Exclusion& misfit : addon.not_on) {
    const bool cloud = misfit.providers.empty() || (known_cloud && has(misfit.providers, flavor.provider));
    const bool type =
        misfit.kubernetes_types.empty() || (known_type && has(misfit.kubernetes_types, flavor.kubernetes_type));
    if (!cloud || !type) continue;
    const std::string_view where = misfit.kubernetes_types.empty() ? flavor.provider : flavor.kubernetes_type;
    report.at(*installed.object, "`{}` doesn't belong on {}", addon.id, where)
        .also(flavor.where, "the cluster is here")
        .note("{}", misfit.why)
        .help("leave it out");
    return;
  }
}

// MetalLB and the cloud's controller both handle Services of type LoadBalancer.
void check_load_balancers(const InstalledAddons& addons, const Cluster& cluster, Report& report) {
  const InstalledAddon* metallb = find_addon(addons, "metallb");
  const InstalledAddon* cloud = find_addon(addons, "openstack-ccm");
  if (metallb == nullptr || cloud == nullptr) return;
  const Node values = values_of(*metallb, cluster);
  const Node controllers = values_of(*cloud, cluster)["enabledControllers"];
  bool serves = !controllers.exists();
  for (const Node controller : controllers.items())
    serves = serves || controller.text() == "service" || controller.text() == "*";
  const CloudConf conf = cloud_conf_of(cluster);
  const bool disabled = conf.text.find("[LoadBalancer]") == std::string_view::npos
                            ? !conf.known
                            : conf.text.find("enabled=false") != std::string_view::npos ||
                                  conf.text.find("enabled = false") != std::string_view::npos;
  if (!serves || disabled || !values["loadBalancerClass"].text().empty()) return;
  report.at(*metallb->object, "both MetalLB and OpenStack's controller handle Services of type LoadBalancer")
      .also(*cloud->object, "the other one")
      .help("set `enabled=false` in `[LoadBalancer]` of cloud.conf, or a `loadBalancerClass` of MetalLB's own");
}

// Checks one cluster.
void check_addons(const InstalledAddons& addons, const Flavor& flavor, Report& report) {
  for (std::size_t i = 0; i < addons.size(); ++i) {
    check_place(addons[i], flavor, report);
    for (std::size_t before = 0; before < i; ++before) check_pair(addons[before], addons[i], report);
  }
}

void check(const Cluster& cluster, Report& report) {
  if (installed_addons(cluster).empty()) return;
  const Flavor flavor = flavor_of(cluster);
  for (const InstalledAddons& addons : addons_by_cluster(cluster)) {
    check_addons(addons, flavor, report);
    check_load_balancers(addons, cluster, report);
  }
}

}  // namespace

CW_LINT_RULE(addon_conflict){
    .code = "CAP801",
    .name = "addon-conflict",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports add-ons that conflict with each other, or with the cluster they are for.

## Why is this bad?

Two CNIs overwrite each other's configuration on every node. Two controllers for Services of type LoadBalancer assign
addresses in turn. An add-on for another cloud can't authenticate, and one that the managed service installs itself
(metrics-server on AKS) has two owners.

Applications are recognized by their chart. Conflicts are listed in the add-on catalogue (`capwright addons list`). The cloud
and the distribution are those of the control plane in the same folder. In a folder of several clusters, the destination of
the Application decides.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-calico}
spec: {source: {chart: tigera-operator}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cilium}   # error: [addon-conflict] "`calico` and `cilium` conflict in one cluster"
spec: {source: {chart: cilium}}
```

## Use instead

```yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: a}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: a}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cilium}
spec: {source: {chart: cilium}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-metrics}
spec: {source: {chart: metrics-server}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::addon_conflict
