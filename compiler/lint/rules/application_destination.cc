// CAP811: Applications with a wrong destination cluster, or without one.
#include <algorithm>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint::rules::application_destination {
namespace {

// Some add-ons run in the management cluster for the clusters that they serve.
bool may_run_in_management(const values::Addon& addon) { return addon.entry.find("management_on") != nullptr; }

// Argo CD's own validation of the two fields, before it syncs.
bool check_form(const Node& application, Report& report) {
  const Node destination = application["spec.destination"];
  if (!destination) return true;  // the API server rejects it
  const Node name = destination["name"], server = destination["server"];
  if (!name.text().empty() && !server.text().empty()) {
    report.at(server, "the destination has a `server` and a `name`")
        .also(name, "the name")
        .note("the two could be different clusters, so Argo CD rejects the Application")
        .help("keep one of them; the name is easier to read");
    return true;
  }
  if (name.text().empty() && server.text().empty()) {
    report.at(destination, "the destination names no cluster")
        .help("add a `name`, as the cluster is called in Argo CD");
    return true;
  }
  return false;
}

// Whether its destination is Argo CD's own cluster although it doesn't belong there.
bool goes_to_management(const Object& application, const values::Addon* addon) {
  return addon != nullptr && is_in_cluster(application) && !may_run_in_management(*addon);
}

// Checks that need only this cluster.
void check_own(const Cluster& cluster, Report& report) {
  for (const Object* set : cluster.of_kind("ApplicationSet")) {
    if (const Node application = application_in(*set)) check_form(application, report);
  }
  for (const Object* application : cluster.of_kind("Application")) {
    if (!is_application(*application) || check_form(application->root(), report)) continue;
    const values::Addon* addon = addon_of(*application);
    if (cluster.of_kind("Cluster").empty() || !goes_to_management(*application, addon)) continue;
    const Node destination = application->root()["spec.destination"];
    report
        .at(destination["name"] ? destination["name"] : destination["server"],
            "`{}` would be installed into the management cluster", addon->id)
        .note("this is the cluster that Argo CD runs in")
        .help("name the workload cluster, as it is registered in Argo CD");
  }
}

void check_others(const Fleet& fleet, Report& report) {
  std::vector<std::string_view> names;
  for (const Cluster* cluster : fleet.clusters) {
    for (const Object* object : cluster->of_kind("Cluster")) names.push_back(object->name());
  }
  for (const Cluster* cluster : fleet.clusters) {
    const Objects own = cluster->of_kind("Cluster");
    for (const Object* application : cluster->of_kind("Application")) {
      if (!is_application(*application) || own.empty()) continue;
      const values::Addon* addon = addon_of(*application);
      const Node destination = application->root()["spec.destination"];
      const std::string_view name = destination["name"].text();
      if (addon == nullptr || !destination["server"].text().empty() || goes_to_management(*application, addon))
        continue;
      const bool is_own = std::any_of(own.begin(), own.end(), [&](const Object* one) { return one->name() == name; });
      const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
      if (is_own || !is_known) continue;
      report
          .at(destination["name"], "`{}` goes to the cluster `{}`, but is in the folder of `{}`", addon->id, name,
              own.front()->name())
          .also(*own.front(), "the cluster of this folder")
          .help("use `{}`", own.front()->name())
          .fix(destination["name"], std::string(own.front()->name()), Safety::Unsafe,
               "name the cluster of this folder");
    }
  }
}

// Adds keys for an Application that may name a cluster of another folder.
void give_keys(const Cluster& cluster, FleetKeys& keys) {
  const Objects own = cluster.of_kind("Cluster");
  for (const Object* one : own) keys.add("application-destination", one->name(), FleetKeys::Side::Answers);
  for (const Object* application : cluster.of_kind("Application")) {
    if (!is_application(*application) || own.empty() || addon_of(*application) == nullptr) continue;
    const std::string_view name = application->root()["spec.destination.name"].text();
    if (!name.empty() && name != own.front()->name()) keys.add("application-destination", name, FleetKeys::Side::Asks);
  }
}

}  // namespace

CW_LINT_RULE(application_destination){
    .code = "CAP811",
    .name = "application-destination",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an Application whose destination is the wrong cluster, or missing.

## Why is this bad?

An add-on whose destination is Argo CD's own cluster is installed on the management cluster: a second cloud controller
manager or CNI there can break the control of the whole fleet. A destination that is another cluster of the fleet changes
that cluster. Argo CD reports neither.

Add-ons are recognized by their chart. Those that run on the management cluster, such as the cluster autoscaler, are exempt.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: a}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  destination:
    server: https://kubernetes.default.svc   # error: [application-destination] "into the management cluster"
    namespace: kube-system
  source: {chart: openstack-cinder-csi}
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: a}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  destination: {name: registered-as-a, namespace: kube-system}
  source: {chart: openstack-cinder-csi}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-autoscaler}
spec:
  destination: {name: in-cluster, namespace: a}
  source: {chart: cluster-autoscaler}
```

## Fix

Unsafe: names the cluster of the folder.
)md",
    .fixes = Safety::Unsafe,
    .check_cluster = check_own,
    .check_fleet = check_others,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::application_destination
