// Clusters for rules and graphs, from values rendered in memory and from manifests.
#pragma once
#include <memory>
#include <vector>

#include "cli/lint_targets.h"
#include "lint/engine/lint.h"
#include "pipeline/compile_fleet.h"

namespace capwright::cli {

class LoadedClusters {
 public:
  // Renders in memory; `open`, `context` and `tree` must outlive it. Clusters with errors only have findings and aren't
  // in clusters().
  LoadedClusters(OpenProject& open, LintTargets targets, const lint::Context& context, OutputTree& tree);

  // Rendered clusters in the order of their values files, then those from manifests, by name.
  const std::vector<std::unique_ptr<lint::Cluster>>& clusters() const { return clusters_; }
  // For rendered clusters, with or without errors.
  const std::vector<ClusterOutcome>& outcomes() const { return outcomes_; }

  // Adds the findings about the configuration, template sets and clusters.
  void add_findings(report::Findings& findings);

 private:
  OpenProject& open_;
  std::vector<ClusterOutcome> outcomes_;
  std::vector<lint::ManifestGroup> groups_;
  std::vector<std::unique_ptr<lint::Cluster>> clusters_;
  std::vector<report::SecretSpans> secrets_;
};

}  // namespace capwright::cli
