// CAP404: machines that no MachineHealthCheck, or more than one, covers.
#include <map>
#include <vector>

#include "lint/engine/rule.h"
#include "lint/facts/machine_groups.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::health_check_coverage {
namespace {

using Watchers = std::map<const MachineGroup*, const Object*>;  // the first health check of each control plane or pool
using Checks = std::vector<const Object*>;                      // with a selector

// Returns false if the health checks can't be evaluated here.
bool check_selectors(const MachineGroups& machines, const Checks& checks, Watchers& watchers, Report& report) {
  for (const Object* check : checks) {
    const Node selector = (*check)["spec.selector"];
    if (selects_unknown_labels(selector)) return false;
    const Object *control_plane = nullptr, *pool = nullptr;
    for (const MachineGroup* group : machines.selected_by(selector)) {
      const MachineSet& set = *group->sets.back();
      (set.is_control_plane ? control_plane : pool) = set.owner;
      const auto [first, is_new] = watchers.try_emplace(group, check);
      if (is_new) continue;
      report.at(selector, "the machines of {} are watched by two MachineHealthChecks", set.owner->title())
          .also(*first->second, "here too")
          .note("each replaces broken machines up to its own limit, so neither limit holds");
    }
    if (control_plane == nullptr && pool == nullptr)
      report.at(selector, "no machine has these labels, so nothing is watched")
          .help(
              "select by `cluster.x-k8s.io/deployment-name: <MachineDeployment>` or `cluster.x-k8s.io/control-plane: "
              "\"\"`");
    else if (control_plane != nullptr && pool != nullptr)
      report.at(selector, "control planes and workers share one MachineHealthCheck")
          .also(*control_plane, "watched")
          .also(*pool, "watched")
          .note("broken workers use up the limit, and then broken control planes aren't replaced")
          .help("add one MachineHealthCheck for each");
  }
  return true;
}

void check_missing(const MachineSet& set, Report& report) {
  if (set.owner->kind() == "MachinePool") return;
  // A single control plane is never replaced, because no other one can take over.
  if (set.is_control_plane && set.replicas().value_or(1) < 2) return;
  report.at(*set.owner, "no MachineHealthCheck watches these machines")
      .note("a broken machine and its pods stay until the machine is deleted by hand")
      .help("add a MachineHealthCheck whose selector has `{}`",
            set.is_control_plane ? "cluster.x-k8s.io/control-plane: \"\""
                                 : fmt::format("cluster.x-k8s.io/deployment-name: {}", set.owner->name()))
      .as(Severity::Warning);
}

void check(const Cluster& tree, Report& report) {
  std::map<const Object*, Checks> checks;
  for (const Object* check : tree.of_kind("MachineHealthCheck")) {
    if ((*check)["spec.selector"]) checks[named_cluster(*check)].push_back(check);
  }
  for (const Object* cluster : tree.of_kind("Cluster")) {
    const MachineGroups& machines = machine_groups(*cluster);
    Watchers watchers;
    if (machines.all().empty() || !check_selectors(machines, checks[cluster], watchers, report)) continue;
    if (openstack_of(*cluster) == nullptr) continue;
    for (const MachineGroup& group : machines.all()) {
      if (watchers.contains(&group)) continue;
      for (const MachineSet* set : group.sets) check_missing(*set, report);
    }
  }
}

}  // namespace

CW_LINT_RULE(health_check_coverage){
    .code = "CAP404",
    .name = "health-check-coverage",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports machines that no MachineHealthCheck watches, or that several watch, and selectors that match nothing.

## Why is this bad?

A MachineHealthCheck replaces broken machines that its selector matches. The selector matches labels of machines, which
appear in no manifest: those of the template, and `cluster.x-k8s.io/deployment-name` or `cluster.x-k8s.io/control-plane` from
the controllers. A typo matches nothing, without an error.

* A selector that no machine of the cluster matches: nothing is watched.
* Control planes and workers in one check: they share one limit, so an outage of workers prevents the replacement of a
  control plane.
* Two checks for one machine: each counts alone, so neither limit holds.
* On OpenStack, a control plane or pool without a check (warning): broken machines stay. Clouds repair the node groups of
  EKS, AKS and OKE.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
---
kind: MachineDeployment
metadata: {name: prod-general}
spec: {clusterName: prod}
---
kind: MachineHealthCheck
metadata: {name: prod-general}
spec:
  clusterName: prod
  selector:   # error: [health-check-coverage] "no machine has these labels"
    matchLabels: {cluster.x-k8s.io/deployment-name: general}
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
kind: MachineDeployment
metadata: {name: prod-general}
spec: {clusterName: prod}
---
kind: MachineHealthCheck
metadata: {name: control-plane}
spec:
  clusterName: prod
  selector: {matchLabels: {cluster.x-k8s.io/control-plane: ""}}
---
kind: MachineHealthCheck
metadata: {name: workers}
spec:
  clusterName: prod
  selector:
    matchExpressions:
      - {key: cluster.x-k8s.io/control-plane, operator: DoesNotExist}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::health_check_coverage
