// Clusters as rules and pictures see them, from values rendered in memory and from manifests as they were read.
#pragma once
#include <memory>
#include <vector>

#include "cli/lint_targets.h"
#include "lint/lint.h"
#include "pipeline/compile_fleet.h"

namespace capwright::cli {

class LoadedClusters {
 public:
  // Renders what has to be rendered; `open`, `context` and `tree` outlive it. Clusters with errors are not among
  // clusters(), only their findings are.
  LoadedClusters(OpenProject& open, LintTargets targets, const lint::Context& context, OutputTree& tree);

  // Those that are rendered, in the order of their values files, then those of manifests, by name.
  const std::vector<std::unique_ptr<lint::Cluster>>& clusters() const { return clusters_; }
  // Of the clusters that are rendered, with or without errors.
  const std::vector<ClusterOutcome>& outcomes() const { return outcomes_; }

  // What stood in the way: findings of the configuration, of template sets, of clusters.
  void add_findings(report::Findings& findings);

 private:
  OpenProject& open_;
  std::vector<ClusterOutcome> outcomes_;
  std::vector<lint::ManifestGroup> groups_;
  std::vector<std::unique_ptr<lint::Cluster>> clusters_;
  std::vector<report::SecretSpans> secrets_;
};

}  // namespace capwright::cli
