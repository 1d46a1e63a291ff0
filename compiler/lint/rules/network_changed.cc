// CAP906: changed networks of existing clusters.
#include <algorithm>
#include <string>

#include "lint/engine/change_rule.h"
#include "lint/facts/cluster_addons.h"
#include "lint/facts/immutable_fields.h"

namespace capwright::lint::rules::network_changed {
namespace {

std::string shown(const Node& node) {
  if (!node.is(Kind::List)) return node.exists() ? node.written() : "unset";
  std::string text;
  for (const Node item : node.items()) text += (text.empty() ? "" : ", ") + item.written();
  return text;
}

void check_field(const ImmutableField& field, const Node& was, const Node& is, Report& report) {
  if (json_equal(was.value(), is.value())) return;
  const std::vector<Node> parts = changed_parts(was, is);
  report
      .at(parts.front(), "{} of an existing cluster {} from `{}` to `{}`", field.what,
          field.what.starts_with("the addresses") ? "change" : "changes", shown(was), shown(is))
      .note("{}", field.why)
      .help("revert it, or create a new cluster");
}

const InstalledAddon* cni_addon(const Cluster& cluster) {
  const InstalledAddons& addons = installed_addons(cluster);
  const auto found =
      std::find_if(addons.begin(), addons.end(), [](const InstalledAddon& each) { return each.addon->role == "cni"; });
  return found == addons.end() ? nullptr : &*found;
}

// Reports a network add-on that is replaced by another. CAP918 reports one that is only removed.
void check_addon(const ClusterChange& change, Report& report) {
  if (change.before == nullptr) return;
  const InstalledAddon* was = cni_addon(*change.before);
  const InstalledAddon* is = cni_addon(*change.after);
  if (was == nullptr || is == nullptr || was->addon->id == is->addon->id) return;
  report.at(*is->object, "the CNI of an existing cluster changes from `{}` to `{}`", was->addon->id, is->addon->id)
      .note("pods of the old and of the new CNI can't reach each other")
      .help("revert it; another CNI needs a new cluster, or a migration node by node");
}

void check(const ClusterChange& change, Report& report) {
  if (change.after == nullptr) return;
  check_addon(change, report);
  for (const ImmutableField& field : immutable_network_fields()) {
    for (const Object* object : change.after->of_kind(field.kind)) {
      const Object* old = change.old_of(*object);
      if (old == nullptr) continue;
      for (const auto& [was, is] : sides_of(field, *old, *object)) check_field(field, was, is, report);
    }
  }
}

}  // namespace

CW_LINT_RULE(network_changed){
    .code = "CAP906",
    .name = "network-changed",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change of an existing cluster's network: pod or service ranges, service domain, API server port, CNI, or the way
nodes register.

## Why is this bad?

Cluster API writes these settings into machines when it creates them. After the change, old and new machines can't reach each
other. Create a new cluster instead. `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {clusterNetwork: {pods: {cidrBlocks: [10.244.0.0/16]}, serviceDomain: cluster.local}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods:
      cidrBlocks: [10.245.0.0/16]   # error: [network-changed] "from `10.244.0.0/16` to `10.245.0.0/16`"
    serviceDomain: cluster.local
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {clusterNetwork: {pods: {cidrBlocks: [10.244.0.0/16]}}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {clusterNetwork: {pods: {cidrBlocks: ["10.244.0.0/16"]}}}
```
)md",
};

CW_CHANGE_RULE(network_changed, check);

}  // namespace capwright::lint::rules::network_changed
