// Renders with the pipeline, and reads manifests as lint does.
#include "workflow/visited_clusters.h"

#include <utility>

#include "lint/engine/suppressions.h"
#include "lint/facts/credential_places.h"
#include "lint/model/context.h"
#include "pipeline/parallel.h"

namespace capwright::workflow {

void FindingsOfClusters::take(std::size_t number, ClusterOutcome& outcome) {
  const std::unique_ptr<CompiledCluster> compiled = std::move(outcome.cluster);
  if (compiled == nullptr || compiled->sink.diagnostics().empty()) return;
  lint::Suppressions comments(compiled->sources);
  if (!comments.all().empty()) comments.apply(compiled->sink.diagnostics(), compiled->sources, lint::catalogue_date());
  if (compiled->sink.diagnostics().empty()) return;
  const SourceSet* shared = compiled->set == nullptr ? nullptr : &compiled->set->sources;
  kept_[number] = std::make_unique<lint::KeptFindings>(shared);
  kept_[number]->take(compiled->sink, compiled->sources, compiled->redactor());
}

void FindingsOfClusters::add_to(report::Findings& findings, const std::vector<ClusterOutcome>& outcomes,
                                bool are_several) const {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string_view own_file = are_several ? outcomes[i].values_path : std::string_view();
    const lint::KeptFindings* kept = i < kept_.size() ? kept_[i].get() : nullptr;
    if (outcomes[i].cluster != nullptr) findings.add(*outcomes[i].cluster, own_file);
    if (kept != nullptr)
      findings.add(kept->diagnostics(), kept->sources(), kept->redactor(), outcomes[i].name, own_file);
  }
}

void VisitedClusters::visit(LintTargets targets, const Visit& visit) {
  groups_ = take_groups(targets);
  const std::size_t values = targets.values.size();
  kept_.resize(values + groups_.size());
  FleetOptions fleet;
  fleet.keep = true;
  fleet.tree = tree_;
  fleet.visit = [&](std::size_t number, ClusterOutcome& outcome) {
    const std::unique_ptr<CompiledCluster> compiled = std::move(outcome.cluster);
    if (compiled->clean()) {
      lint::Cluster cluster(*compiled, context_);
      visit(number, cluster);
    }
    const SourceSet* shared = compiled->set == nullptr ? nullptr : &compiled->set->sources;
    Kept& kept = kept_[number];
    kept = {outcome.name, values > 1 ? outcome.values_path : "", std::make_unique<lint::KeptFindings>(shared)};
    kept.findings->take(compiled->sink, compiled->sources, compiled->redactor());
  };
  compile_fleet(targets.values, *open_.project, fleet);
  parallel_for(groups_.size(), 0, [&](std::size_t i) {
    const std::unique_ptr<lint::Cluster> cluster = lint::read_group(groups_[i], context_);
    visit(values + i, *cluster);
    Kept& kept = kept_[values + i];
    kept = {std::string(cluster->name()), "", std::make_unique<lint::KeptFindings>()};
    kept.findings->take(cluster->sink(), cluster->sources(), lint::redactor_of(*cluster));
  });
}

void VisitedClusters::add_findings(report::Findings& findings) {
  add_project_findings(open_, findings);
  for (const Kept& kept : kept_) {
    const lint::KeptFindings& found = *kept.findings;
    findings.add(found.diagnostics(), found.sources(), found.redactor(), kept.name, kept.own_file);
  }
}

}  // namespace capwright::workflow
