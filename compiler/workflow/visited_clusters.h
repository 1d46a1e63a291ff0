// Clusters of a run, one after another: from values rendered in memory, and from manifests.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "files/output_tree.h"
#include "lint/engine/lint.h"
#include "pipeline/compile_fleet.h"
#include "workflow/lint_targets.h"

namespace capwright::workflow {

// The findings of clusters whose other data isn't needed any more: a compiled cluster takes 1 MB.
class FindingsOfClusters {
 public:
  explicit FindingsOfClusters(std::size_t clusters) : kept_(clusters) {}

  // Takes the findings that no comment suppresses out of the cluster of an outcome, if it has one, and drops it. For
  // FleetOptions::visit: called on several threads, with different numbers.
  void take(std::size_t number, ClusterOutcome& outcome);
  // Adds those of all clusters, in their order. Outcomes that still have their clusters are added as they are. Must
  // outlive `findings`. `are_several`: whether findings outside of a cluster's own values file name the cluster.
  void add_to(report::Findings& findings, const std::vector<ClusterOutcome>& outcomes, bool are_several) const;

 private:
  std::vector<std::unique_ptr<lint::KeptFindings>> kept_;  // null: none
};

class VisitedClusters {
 public:
  // Called on several threads, with the number of the cluster.
  using Visit = std::function<void(std::size_t, lint::Cluster&)>;

  // Keeps references to `open` and `context`. `tree`: null if no cluster is rendered.
  VisitedClusters(OpenProject& open, const lint::Context& context, OutputTree* tree)
      : open_(open), context_(context), tree_(tree) {}

  // Renders or reads each cluster, calls `visit`, and drops all but its findings. A cluster with errors isn't visited.
  // Numbers follow the order of the values files, then of the names of clusters from manifests.
  void visit(LintTargets targets, const Visit& visit);

  // Adds the findings about the configuration, template sets and clusters.
  void add_findings(report::Findings& findings);

 private:
  struct Kept {
    std::string name, own_file;
    std::unique_ptr<lint::KeptFindings> findings;
  };

  OpenProject& open_;
  const lint::Context& context_;
  OutputTree* tree_;
  std::vector<lint::ManifestGroup> groups_;
  std::vector<Kept> kept_;
};

}  // namespace capwright::workflow
