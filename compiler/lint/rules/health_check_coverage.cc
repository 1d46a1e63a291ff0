// CAP404: machines that no MachineHealthCheck, or more than one, covers.
#include <map>
#include <utility>
#include <vector>

#include "lint/engine/rule.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::health_check_coverage {
namespace {

using Watchers = std::map<const Object*, const Object*>;  // the first health check of each control plane or pool

// The parts of one Cluster.
struct Watched {
  std::vector<MachineSet> sets;
  std::vector<const Object*> checks;  // with a selector
};

// The machine sets of one Cluster by their labels: with thousands of selectors, each only scans the sets with its
// rarest label.
class LabelIndex {
 public:
  explicit LabelIndex(const std::vector<MachineSet>& sets) {
    for (const MachineSet& set : sets) {
      all_.push_back({&set, labels_of(set)});
      for (const auto& label : all_.back().labels) having_[label].push_back(all_.size() - 1);
      numbers_.push_back(all_.size() - 1);
    }
  }

  // In the order of the sets.
  std::vector<const MachineSet*> selected_by(const Node& selector) const {
    const std::vector<std::size_t>* rarest = &numbers_;
    static const std::vector<std::size_t> kNone;
    for (const auto& [key, value] : selector["matchLabels"].members()) {
      const auto having = having_.find({key, value.text()});
      const std::vector<std::size_t>& numbers = having == having_.end() ? kNone : having->second;
      if (numbers.size() < rarest->size()) rarest = &numbers;
    }
    std::vector<const MachineSet*> selected;
    for (const std::size_t number : *rarest) {
      if (selects(selector, all_[number].labels)) selected.push_back(all_[number].set);
    }
    return selected;
  }

 private:
  struct Labelled {
    const MachineSet* set;
    Labels labels;
  };
  std::vector<Labelled> all_;
  std::vector<std::size_t> numbers_;  // indices of all sets
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> having_;
};

// Returns false if the health checks can't be evaluated here.
bool check_selectors(const Watched& watched, Watchers& watchers, Report& report) {
  const LabelIndex index(watched.sets);
  for (const Object* check : watched.checks) {
    const Node selector = (*check)["spec.selector"];
    if (selects_unknown_labels(selector)) return false;
    const Object *control_plane = nullptr, *pool = nullptr;
    for (const MachineSet* set : index.selected_by(selector)) {
      (set->is_control_plane ? control_plane : pool) = set->owner;
      const auto [first, is_new] = watchers.try_emplace(set->owner, check);
      if (is_new) continue;
      report.at(selector, "the machines of {} are watched by two MachineHealthChecks", set->owner->title())
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

void check_missing(const Watched& watched, const Watchers& watchers, Report& report) {
  for (const MachineSet& set : watched.sets) {
    if (watchers.contains(set.owner) || set.owner->kind() == "MachinePool") continue;
    // A single control plane is never replaced, because no other one can take over.
    if (set.is_control_plane && set.replicas().value_or(1) < 2) continue;
    report.at(*set.owner, "no MachineHealthCheck watches these machines")
        .note("a broken machine and its pods stay until the machine is deleted by hand")
        .help("add a MachineHealthCheck whose selector has `{}`",
              set.is_control_plane ? "cluster.x-k8s.io/control-plane: \"\""
                                   : fmt::format("cluster.x-k8s.io/deployment-name: {}", set.owner->name()))
        .as(Severity::Warning);
  }
}

void check(const Cluster& tree, Report& report) {
  std::map<const Object*, Watched> by_cluster;
  for (const MachineSet& set : machine_sets(tree)) by_cluster[set.cluster].sets.push_back(set);
  for (const Object* check : tree.of_kind("MachineHealthCheck")) {
    if ((*check)["spec.selector"]) by_cluster[named_cluster(*check)].checks.push_back(check);
  }
  for (const Object* cluster : tree.of_kind("Cluster")) {
    const Watched& watched = by_cluster[cluster];
    Watchers watchers;
    if (watched.sets.empty() || !check_selectors(watched, watchers, report)) continue;
    if (openstack_of(*cluster) != nullptr) check_missing(watched, watchers, report);
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
