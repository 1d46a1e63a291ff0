// CAP802: sync waves that wait for each other, or for nothing.
#include <algorithm>
#include <map>
#include <vector>

#include "lint/engine/rule.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint::rules::addon_order {
namespace {

// Argo CD waits until they are healthy, which requires all of them.
bool has_health(const Object& object) {
  constexpr std::string_view kGroups[] = {"cluster.x-k8s.io", "controlplane.cluster.x-k8s.io",
                                          "infrastructure.cluster.x-k8s.io"};
  if (std::find(std::begin(kGroups), std::end(kGroups), object.group()) == std::end(kGroups)) return false;
  const std::string_view kind = object.kind();
  if (kind == "ClusterClass") return false;
  return kind.ends_with("Cluster") || kind.ends_with("ControlPlane") || kind.ends_with("MachinePool") ||
         kind == "MachineDeployment" || kind == "MachineHealthCheck";
}

// Others need it, but it waits for none itself: it may have an earlier wave, not a later one.
bool is_needed(const Object& object) {
  return object.group().ends_with("cluster.x-k8s.io") && object.kind().ends_with("Template");
}

// The place of its wave, or the place to add it.
Node wave_place(const Object& object) {
  const Node wave = object.annotation(kWaveAnnotation);
  return wave ? wave : object.place();
}

// The name of the cluster that an object belongs to; empty: unknown.
std::string_view labelled_cluster(const Object& object) {
  if (object.kind() == "Cluster") return object.name();
  const std::string_view label = object.label("cluster.x-k8s.io/cluster-name").text();
  return label.empty() ? object["spec.clusterName"].text() : label;
}

// `objects`: those of the Cluster `root`.
void check_cluster_waves(const Object& root, const std::vector<const Object*>& objects, Report& report) {
  const std::int64_t wave = wave_of(root);
  for (const Object* object : objects) {
    if (object == &root) continue;
    const std::int64_t other = wave_of(*object);
    const bool apart = has_health(*object) ? other != wave : is_needed(*object) && other > wave;
    if (!apart) continue;
    report.at(wave_place(*object), "wave {}, but its Cluster is in wave {}", other, wave)
        .also(wave_place(root), "the Cluster")
        .note(
            "a wave starts when the previous one is healthy, and no object of a cluster becomes healthy without the "
            "others")
        .help("give all Cluster API objects of a cluster the same wave");
  }
}

// Checks a pair in which `first` must be installed first.
void check_pair(const InstalledAddon& first, const InstalledAddon& second, bool needs, Report& report) {
  const std::int64_t before = wave_of(*first.object), after = wave_of(*second.object);
  if (needs ? before < after : before <= after) return;
  report
      .at(wave_place(*second.object), "`{}` is in wave {}, but its dependency `{}` is in wave {}", second.addon->id,
          after, first.addon->id, before)
      .also(wave_place(*first.object), "must be applied first")
      .help("use wave {} or higher", needs ? before + 1 : before);
}

bool names_addon(const std::vector<std::string_view>& ids, const InstalledAddon& installed) {
  return std::find(ids.begin(), ids.end(), installed.addon->id) != ids.end();
}

// The last of several Applications for one add-on: those that need the add-on wait for it.
std::vector<InstalledAddon> last_of_each(const InstalledAddons& applications) {
  std::vector<InstalledAddon> last;
  std::map<std::string_view, std::size_t> numbers;
  for (const InstalledAddon& installed : applications) {
    const auto [number, is_new] = numbers.try_emplace(installed.addon->id, last.size());
    if (is_new) last.push_back(installed);
    else if (wave_of(*last[number->second].object) < wave_of(*installed.object)) last[number->second] = installed;
  }
  return last;
}

// Checks one cluster.
void check_addons(InstalledAddons addons, Report& report) {
  std::erase_if(addons, [](const InstalledAddon& installed) { return !is_application(*installed.object); });
  for (const InstalledAddon& first : last_of_each(addons)) {
    for (const InstalledAddon& second : addons) {
      const bool needs = names_addon(second.addon->needs, first);
      if (needs || names_addon(second.addon->after, first)) check_pair(first, second, needs, report);
    }
  }
}

void check(const Cluster& cluster, Report& report) {
  std::map<std::string_view, std::vector<const Object*>> by_cluster;
  if (!cluster.of_kind("Cluster").empty()) {
    for (const Object* object : cluster.objects()) by_cluster[labelled_cluster(*object)].push_back(object);
  }
  for (const Object* root : cluster.of_kind("Cluster")) {
    if (root->group() != "cluster.x-k8s.io") continue;
    // Extracts it: with several Clusters of one name, the others are compared with the first.
    if (const auto objects = by_cluster.extract(root->name())) check_cluster_waves(*root, objects.mapped(), report);
  }
  for (const InstalledAddons& addons : addons_by_cluster(cluster)) check_addons(addons, report);
}

}  // namespace

CW_LINT_RULE(addon_order){
    .code = "CAP802",
    .name = "addon-order",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports sync waves in an order that can't work.

## Why is this bad?

Argo CD starts a wave when everything in the previous one is healthy. A `Cluster` is healthy when it is provisioned, which
needs its control plane, its infrastructure and, on AKS, its pools. In different waves, they wait for each other forever, so
all objects of a cluster need the same wave; templates may be in an earlier one.

Add-ons depend on others: nodes need the cloud controller manager, volumes their CSI driver, an ingress its load balancer.
The order is in the add-on catalogue. Add-ons of different clusters, by destination, don't depend on each other.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: a}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: AWSManagedControlPlane
metadata:
  name: a-control-plane
  labels: {cluster.x-k8s.io/cluster-name: a}
  annotations:
    argocd.argoproj.io/sync-wave: "1"   # error: [addon-order] "wave 1, but its Cluster is in wave 0"
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: a}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: a-control-plane
  labels: {cluster.x-k8s.io/cluster-name: a}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata:
  name: a-pool
  labels: {cluster.x-k8s.io/cluster-name: a}
  annotations: {argocd.argoproj.io/sync-wave: "-1"}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::addon_order
