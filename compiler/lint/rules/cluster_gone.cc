// CAP901: clusters, control planes and infrastructure that leave the tree.
#include <fmt/format.h>
#include <string>

#include "lint/engine/change_rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::cluster_gone {
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

// What the tool that applies the tree does to the Cluster.
std::string outcome(const Object& cluster, const ClusterChange& change) {
  const Value& tool = fact(fact(effect_facts(), "deliveries"), delivery_name(change.before->context().delivery));
  const Value* why_kept = nullptr;
  if (tool.find("deletes") == nullptr) why_kept = tool.find("why_kept");
  else if (change.after == nullptr) why_kept = tool.find("why_folder_kept");
  if (why_kept != nullptr)
    return fmt::format("{}: its machines keep running without a description in Git", why_kept->text());
  if (is_kept_by_option(cluster))
    return fmt::format(
        "{} leaves it in the management cluster (`{}`): its machines keep running without a description in Git",
        delivery_tool(*change.before), keeping_option(*change.before));
  const Value* question = tool.find("asks");
  const std::string_view options = cluster.annotation("argocd.argoproj.io/sync-options").text();
  const bool asks = question != nullptr && options.find(question->text()) != std::string_view::npos;
  return fmt::format("{} {}, with all of its machines and what runs on them", fact(tool, "name").text(),
                     asks ? "asks before it deletes it" : "deletes it");
}

void report_gone(const Object& cluster, const ClusterChange& change, Report& report) {
  const Object* twin = twin_elsewhere(cluster, change);
  Finding& finding =
      twin == nullptr ? report.at(cluster, "this change removes the cluster from the tree")
                      : report.at((*twin)["metadata.namespace"], "this change moves the cluster to another namespace");
  if (twin != nullptr) finding.note("objects can't be moved: the cluster is created again");
  finding.note("{}", outcome(cluster, change))
      .help("if that is intended, use `--allow-delete {}`", change.before->name());
}

// A topology makes the control plane and the infrastructure itself, so all of them would change their owner.
bool report_topology(const Object& before, const Object& after, Report& report) {
  const Node was = before["spec.topology"], is = after["spec.topology"];
  if (static_cast<bool>(was) == static_cast<bool>(is)) return false;
  Finding& finding = is ? report.at(is, "this change adds `spec.topology` to a cluster that exists")
                        : report.at(after["spec"], "this change removes `spec.topology` from a cluster that stays");
  finding.note("the API server rejects it").help("revert it, or create a new cluster");
  return true;
}

// A part of a cluster that stays: nothing, or an object of another kind, takes its place.
void report_part(const Object& part, const Node& reference, Report& report) {
  const Node kind = reference["kind"];
  if (kind && kind.text() != part.kind()) {
    report.at(kind, "this change replaces the {} of a cluster that stays by another kind", part.kind())
        .note("its machines don't move to the {}", kind.text())
        .help("revert it, or create a new cluster");
    return;
  }
  report.at(part, "this change removes the {} of a cluster that stays", part.kind())
      .note("nothing replaces it")
      .help("restore it, or create a new cluster");
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr) return;
  for (const Object* cluster : change.before->of_kind("Cluster")) {
    if (!cluster->group().ends_with("cluster.x-k8s.io")) continue;
    const Object* now =
        change.after == nullptr ? nullptr : find_object(*change.after, "Cluster", cluster->space(), cluster->name());
    if (now == nullptr) {
      report_gone(*cluster, change, report);
      continue;
    }
    if (report_topology(*cluster, *now, report)) continue;
    const auto check_part = [&](const Object* part, const Node& reference) {
      if (part == nullptr || find_object(*change.after, part->kind(), part->space(), part->name()) != nullptr) return;
      report_part(*part, reference, report);
    };
    check_part(control_plane_of(*cluster), (*now)["spec.controlPlaneRef"]);
    check_part(infrastructure_of(*cluster), (*now)["spec.infrastructureRef"]);
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

Reports a change that removes a cluster, or the control plane or infrastructure of a cluster that stays, and one that
adds or removes `spec.topology`, which makes these.

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

}  // namespace capwright::lint::rules::cluster_gone
