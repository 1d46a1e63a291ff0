// Runs the repository's own rules on the objects of a cluster, within the API server's limits of costs.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include "lint/finding.h"
#include "lint/own/rule.h"

namespace capwright::lint::own {

// What all objects of a cluster share. One thread at a time.
class ClusterRun {
 public:
  // `rules` and the cluster are kept. `values`: in place of those that it was rendered from.
  ClusterRun(const std::vector<const Rule*>& rules, const Cluster& cluster, std::optional<Value> values = {})
      : rules_(rules), cluster_(cluster), values_(values) {}

  // Adds what the rules find. A rule that was too expensive for one object is not asked about later ones.
  void check(const Object& object, std::vector<Finding>& findings);

  // How often an expression could not be evaluated.
  std::size_t failures() const { return failures_; }

 private:
  friend class ObjectCheck;
  const Value& values();

  const std::vector<const Rule*>& rules_;
  const Cluster& cluster_;
  Arena arena_;
  std::optional<Value> values_;
  std::set<const Rule*> stopped_;
  std::size_t failures_ = 0;
};

}  // namespace capwright::lint::own
