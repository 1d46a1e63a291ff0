// CAP901: clusters, control planes and infrastructure that leave the tree.
#include "lint/change.h"
#include "lint/machines.h"

namespace capwright::lint {
namespace {

// The Cluster of that name in another namespace, which is there now and wasn't before.
const Object* twin_elsewhere(const Object& cluster, const ClusterChange& change) {
  if (change.after == nullptr) return nullptr;
  for (const Object* other : change.after->of_kind("Cluster")) {
    if (other->name() == cluster.name() && other->group() == cluster.group() && change.old_of(*other) == nullptr)
      return other;
  }
  return nullptr;
}

void report_gone(const Object& cluster, const ClusterChange& change, Report& report) {
  const Object* twin = twin_elsewhere(cluster, change);
  Finding& finding =
      twin == nullptr ? report.at(cluster, "this change removes the cluster from the tree")
                      : report.at((*twin)["metadata.namespace"], "this change moves the cluster to another namespace");
  if (twin != nullptr)
    finding.note("objects can't be moved: they are deleted in `{}` and created again", cluster.space());
  const bool asks =
      cluster.annotation("argocd.argoproj.io/sync-options").text().find("confirm") != std::string_view::npos;
  finding
      .note("{}, with all of its machines and what runs on them",
            asks ? "Argo CD asks for confirmation before it deletes it" : "the tool that applies the tree deletes it")
      .help("if that is intended, use `--allow-delete {}`", change.before->name());
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr) return;
  for (const Object* cluster : change.before->of_kind("Cluster")) {
    if (!cluster->group().ends_with("cluster.x-k8s.io")) continue;
    const bool is_gone =
        change.after == nullptr || find_object(*change.after, "Cluster", cluster->space(), cluster->name()) == nullptr;
    if (is_gone) {
      report_gone(*cluster, change, report);
      continue;
    }
    for (const Object* part : {control_plane_of(*cluster), infrastructure_of(*cluster)}) {
      if (part == nullptr || find_object(*change.after, part->kind(), part->space(), part->name()) != nullptr) continue;
      report.at(*part, "this change removes the {} of a cluster that stays", part->kind())
          .note("nothing replaces it")
          .help("restore it, or create a new cluster");
    }
  }
}

}  // namespace

CW_LINT_RULE(cluster_gone){
    .code = "CAP901",
    .name = "cluster-gone",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change that removes a cluster, or the control plane or infrastructure of a cluster that stays.

## Why is this bad?

The tool that applies the tree may delete the Cluster, and Cluster API then deletes its machines, load balancers and
networks. If the tool keeps it, its machines keep running without a description in Git. [`capwright
plan`](plan.md#what-leaves-the-tree) says which. A cluster can't be moved to another namespace: it is deleted there and
created again.

The finding points to the old side of the change.

## Example

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: edge-1   # error: [cluster-gone] "this change removes the cluster from the tree"
```
```yaml file=after/other.yaml
kind: Namespace
metadata: {name: edge-1}
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, labels: {env: prod}}
```

## Options

`capwright plan --allow-delete NAME` allows the removal.
)md",
};

CW_CHANGE_RULE(cluster_gone, check);

}  // namespace capwright::lint
