// Runs the repository's own rules on the objects of a cluster, with the API server's cost limits and one for all of
// them together.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cel/cost.h"
#include "lint/engine/lint_finding.h"
#include "lint/model/cluster.h"
#include "lint/own/own_rule.h"

namespace capwright::lint::own {

// State that all objects of a cluster share. Not thread-safe.
class ClusterRun {
 public:
  // Keeps references to `rules` and the cluster. `values`: replaces the values that the cluster was rendered from.
  ClusterRun(const std::vector<const Rule*>& rules, const Cluster& cluster, std::optional<Value> values = {})
      : rules_(rules), cluster_(cluster), values_(values), used_(rules.size()) {}

  // Adds the findings. A rule that exceeded its cost limit on one object is skipped for later ones; once the rules
  // together exceed the limit of a cluster, all are.
  void check(const Object& object, std::vector<Finding>& findings);

  // The number of failed evaluations of expressions.
  std::size_t failures() const { return failures_; }

 private:
  friend class ObjectCheck;
  const Value& values();
  void report_total(const Object& object, std::vector<Finding>& findings);

  const std::vector<const Rule*>& rules_;
  const Cluster& cluster_;
  Arena arena_;
  std::optional<Value> values_;
  std::set<const Rule*> stopped_;
  std::vector<std::uint64_t> used_;  // cost units, in the order of rules_
  std::uint64_t left_ = cel::kCostOfOneCluster;
  bool is_spent_ = false;
  std::size_t failures_ = 0;
};

// Which objects one of the repository's own rules applies to.

// By kind, name and labels. A policy is matched against a request that creates the object.
bool is_for(const Rule& rule, const Object& object);

// "machinedeployments": from the known releases, otherwise as Kubernetes derives it from the kind.
std::string resource_of(const Object& object);

// Tests the repository's own rules on their examples.

// Returns the number of examples with an unexpected result; reports each at its place in the rule's file.
std::size_t check_examples(const Rule& rule, const Context& context, Stage& stage);

}  // namespace capwright::lint::own
