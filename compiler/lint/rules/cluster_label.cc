// CAP213: a cluster's name that differs from the reference: in labels, a pool's template, or the folder's name.
#include <algorithm>
#include <fmt/format.h>

#include "lint/engine/rule.h"

namespace capwright::lint::rules::cluster_label {
namespace {

constexpr std::string_view kLabel = "cluster.x-k8s.io/cluster-name";

bool is_a_cluster(std::string_view name, const Objects& clusters) {
  return std::any_of(clusters.begin(), clusters.end(), [&](const Object* cluster) { return cluster->name() == name; });
}

// The expected label: the name in the object's own reference, or of the only Cluster in the tree. Absent if the
// reference has no target although a Cluster exists: CAP201 reports that.
Node wanted_name(const Object& object) {
  const Objects clusters = object.cluster().of_kind("Cluster");
  if (const Node name = object["spec.clusterName"])
    return clusters.empty() || is_a_cluster(name.text(), clusters) ? name : Node();
  if (object.kind() == "Cluster") return object["metadata.name"];
  return clusters.size() == 1 ? (*clusters.front())["metadata.name"] : Node();
}

void compare(const Node& label, const Node& wanted, Report& report) {
  if (label.text().empty() || wanted.text().empty() || label.text() == wanted.text()) return;
  report.at(label, "this is `{}`, but the cluster is `{}`", label.text(), wanted.text())
      .also(wanted, "the cluster's name")
      .note("selectors, health checks and `clusterctl` find a cluster's objects by this name")
      .help("write `{}`", wanted.text())
      .fix(label, std::string(wanted.text()), Safety::Unsafe, "use the cluster's name");
}

void check_object(const Object& object, Report& report) {
  const Node spec = object["spec"], machine = spec["template"], named = machine["spec.clusterName"];
  const Node labels[] = {object.label(kLabel), machine["metadata.labels"].member(kLabel),
                         spec["selector.matchLabels"].member(kLabel)};
  const bool says_none = std::none_of(std::begin(labels), std::end(labels), [](const Node& l) { return l.exists(); });
  if (says_none && !named) return;
  const Node wanted = wanted_name(object);
  for (const Node& label : labels) compare(label, wanted, report);
  // A template's name that matches no Cluster is a missing reference; the API server rejects other mismatches.
  if (named && is_a_cluster(named.text(), object.cluster().of_kind("Cluster"))) compare(named, wanted, report);
}

void check_folder(const Cluster& cluster, Report& report) {
  const Objects clusters = cluster.of_kind("Cluster");
  if (cluster.name().empty() || clusters.size() != 1 || clusters.front()->name() == cluster.name()) return;
  report.at(*clusters.front(), "the Cluster `{}` is in the folder of `{}`", clusters.front()->name(), cluster.name())
      .note("a cluster's files are found, and deleted, by the folder")
      .help("use the same name for both");
}

}  // namespace

CW_LINT_RULE(cluster_label){
    .code = "CAP213",
    .name = "cluster-label",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an object whose cluster label names another cluster.

## Why is this bad?

Selectors, MachineHealthChecks and `clusterctl move` find a cluster's objects by the label `cluster.x-k8s.io/cluster-name`. A
wrong label usually comes from a copied manifest. The rule compares the label, also in a pool's template and selector, with
`spec.clusterName` or else with the tree's only Cluster, and the Cluster's name with its folder `clusters/<name>/`. A
`spec.clusterName` without a Cluster is reported by CAP201 instead.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
---
kind: MachineDeployment
metadata:
  name: pool
  labels:
    cluster.x-k8s.io/cluster-name: staging   # warning: [cluster-label] "this is `staging`, but the cluster is `prod`"
spec:
  clusterName: prod
  template:
    metadata:
      labels:
        cluster.x-k8s.io/cluster-name: staging   # warning: [cluster-label]
---
kind: OpenStackMachineTemplate
metadata:
  name: pool
  labels:
    cluster.x-k8s.io/cluster-name: dev   # warning: [cluster-label] "this is `dev`, but the cluster is `prod`"
```

## Use instead

```yaml file=clusters/prod/cluster.yaml
kind: Cluster
metadata: {name: prod, labels: {cluster.x-k8s.io/cluster-name: prod}}
---
kind: MachineDeployment
metadata: {name: pool}
spec: {clusterName: prod, template: {spec: {clusterName: prod}}}
```

## Fix

Unsafe: writes the cluster's name. It never edits a value that names the cluster or the object, such as `cluster_name`.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check_object,
    .check_cluster = check_folder,
};

}  // namespace capwright::lint::rules::cluster_label
