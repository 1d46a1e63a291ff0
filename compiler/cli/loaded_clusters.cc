// Renders with the pipeline, and reads manifests as lint does.
#include "cli/loaded_clusters.h"

#include "lint/secrets/conceal.h"

namespace capwright::cli {

LoadedClusters::LoadedClusters(OpenProject& open, LintTargets targets, const lint::Context& context, OutputTree& tree)
    : open_(open) {
  FleetOptions fleet;
  fleet.keep = true;
  fleet.tree = &tree;
  outcomes_ = compile_fleet(targets.values, *open.project, fleet);
  for (const ClusterOutcome& outcome : outcomes_) {
    if (outcome.cluster->clean()) clusters_.push_back(std::make_unique<lint::Cluster>(*outcome.cluster, context));
  }
  groups_ = lint::group_manifests(std::move(targets.manifests));
  for (const lint::ManifestGroup& group : groups_) clusters_.push_back(lint::read_group(group, context));
}

void LoadedClusters::add_findings(report::Findings& findings) {
  add_project_findings(open_, findings);
  secrets_.reserve(outcomes_.size() + clusters_.size());
  for (const ClusterOutcome& outcome : outcomes_) {
    secrets_.emplace_back(outcome.cluster->secrets);
    findings.add(outcome.cluster->sink.diagnostics(), outcome.cluster->sources, &secrets_.back(), outcome.name,
                 outcomes_.size() > 1 ? outcome.values_path : std::string_view());
  }
  for (const auto& cluster : clusters_) {
    if (cluster->compiled() != nullptr) continue;
    cover_manifest_messages(*cluster);
    secrets_.emplace_back(cluster->secrets());
    findings.add(cluster->sink().diagnostics(), cluster->sources(), &secrets_.back(), std::string(cluster->name()));
  }
}

}  // namespace capwright::cli
