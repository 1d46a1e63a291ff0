// CAP915: pools and health checks that leave the tree, and that nothing deletes.
#include <algorithm>
#include <string>

#include "lint/engine/change_rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/plugin_clusters.h"
#include "rotation/tombstones.h"
#include "text/kubectl.h"

namespace capwright::lint::rules::pool_left_running {
namespace {

bool is_gone(const ClusterChange& change, const Object& object) {
  const auto tombstones = change.after->tombstones();
  const bool has_tombstone = std::any_of(tombstones.begin(), tombstones.end(), [&](const Object* each) {
    return each->kind() == object.kind() && each->space() == object.space() && each->name() == object.name();
  });
  return !has_tombstone && find_object(*change.after, object.kind(), object.space(), object.name()) == nullptr;
}

// Whether its Cluster stays; a Cluster that goes takes its pools along. Of one with a topology, Cluster API deletes
// them.
bool is_part_of_a_cluster_that_stays(const ClusterChange& change, const Object& object) {
  const Object* cluster = find_object(*change.after, "Cluster", object.space(), object["spec.clusterName"].text());
  return cluster != nullptr && !(*cluster)["spec.topology"];
}

// A health check is called like its pool, and goes with it.
bool is_of_a_pool_that_goes(const ClusterChange& change, const Object& check) {
  for (const std::string_view kind : {"MachineDeployment", "MachinePool"}) {
    const Object* pool = find_object(*change.before, kind, check.space(), check.name());
    if (pool != nullptr && is_gone(change, *pool)) return true;
  }
  return false;
}

// Whether nothing applies what a render writes into the tree.
bool is_rendered_by_plugin(const Cluster& cluster) {
  const Context& context = cluster.context();
  return context.argocd != nullptr &&
         is_by_plugin(*context.argocd, fmt::format("{}clusters/{}", context.tree_in_git, cluster.name()));
}

// In the words of the plan, which says the same of the pool.
// The built-in sets list removed objects for Argo CD and have `state: removing`; templates in a plain folder have
// neither.
void report_left(const Object& object, const Cluster& after, Report& report) {
  const Delivery delivery = after.context().delivery;
  const bool is_own = after.templates() != nullptr && after.templates()->plain;
  const bool is_check = object.kind() == "MachineHealthCheck";
  Finding& finding = is_check ? report.at(object, "this health check leaves the tree, and stays active")
                              : report.at(object, "this pool leaves the tree, and its machines keep running");
  const std::string_view why =
      fact(fact(fact(effect_facts(), "deliveries"), delivery_name(delivery)), "why_kept").text();
  if (delivery == Delivery::ArgoCd)
    finding.note("{}, and Cluster `{}` owns it", why, object["spec.clusterName"].text());
  else finding.note("{}", why);
  const std::string command = kubectl_delete(object.group(), object.kind(), object.name(), object.space());
  const std::string_view entries =
      delivery == Delivery::ArgoCd && !is_own && !is_rendered_by_plugin(after)
          ? "restore and commit it, then remove it and run `capwright render` with `tombstones: true` (the default), "
          : "";
  std::string_view alternative = "render it with `state: removing` first, or ";
  if (is_check || is_own) alternative = entries.empty() ? "" : "or ";
  finding.help("{}{}delete it after the commit: `{}`", entries, alternative, command);
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  const Delivery delivery = change.after->context().delivery;
  if (delivery == Delivery::Flux) return;  // it deletes what is in its inventory, with an owner or without
  for (const Object* object : change.before->objects()) {
    if (!rotation::may_have_tombstone(object->group(), object->kind()) || !is_gone(change, *object)) continue;
    if (!is_part_of_a_cluster_that_stays(change, *object) || (*object)["spec.replicas"].integer() == 0) continue;
    if (object->kind() == "MachineHealthCheck" && is_of_a_pool_that_goes(change, *object)) continue;
    report_left(*object, *change.after, report);
  }
}

}  // namespace

CW_LINT_RULE(pool_left_running){
    .code = "CAP915",
    .name = "pool-left-running",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a pool or health check that leaves the tree and keeps running.

## Why is this bad?

Cluster API makes the Cluster the owner of its MachineDeployments, MachinePools and MachineHealthChecks. Argo CD never prunes
an object with an owner: the Application is Synced, and the machines keep running and are billed. `kubectl apply` deletes
nothing.

With `tombstones: true` in `capwright.yaml`, the default, `capwright render` [lists what left the
tree](argocd.md#remove-a-pool), and Argo CD deletes it. Otherwise, and
with [the plugin](argocd.md#the-plugin), scale the pool to 0 in a first change (`state: removing`),
or delete the object by hand after the commit. Cluster API deletes pools of a `Cluster` with a topology itself.

## Example

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: prod-batch   # warning: [pool-left-running] "its machines keep running"
  namespace: prod
spec: {clusterName: prod, replicas: 3}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata:
  name: prod-general   # warning: [pool-left-running] "stays active"
  namespace: prod
spec: {clusterName: prod}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: prod-batch, namespace: prod}
spec: {clusterName: prod}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-batch, namespace: prod}
spec: {clusterName: prod, replicas: 3}
```
```yaml file=after/00-removed.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: prod-batch
  namespace: prod
  annotations: {argocd.argoproj.io/hook: Removed}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
```
)md",
};

CW_CHANGE_RULE(pool_left_running, check);

}  // namespace capwright::lint::rules::pool_left_running
