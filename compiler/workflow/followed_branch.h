// The branch that Argo CD follows, compared with the one that `capwright publish` pushes rendered files to.
#pragma once
#include <cstddef>
#include <string>

#include "pipeline/cluster.h"
#include "pipeline/config.h"

namespace capwright::workflow {

// The revision that the rendered Applications of a cluster read files of its tree from; empty: it has none.
std::string followed_revision(const CompiledCluster& cluster);

// Both may follow another branch than `publish.branch`: what `capwright argocd` prints, and the rendered Applications.
class FollowedBranches {
 public:
  // Must outlive it.
  explicit FollowedBranches(const Config& config) : config_(config) {}

  // `revision`: that of followed_revision().
  void add(const std::string& cluster, const std::string& revision);
  // Reports a difference at its line in capwright.yaml.
  void report(Sink& sink) const;

 private:
  const Config& config_;
  std::string cluster_, revision_;  // the first that differs
  std::size_t others_ = 0;          // that differ, too
};

}  // namespace capwright::workflow
