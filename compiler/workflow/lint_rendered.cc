// The findings of a cluster are in its sink; those of the fleet are stored separately.
#include "workflow/lint_rendered.h"

#include <algorithm>

#include "lint/engine/selection.h"
#include "lint/facts/credential_places.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/parallel.h"
#include "pipeline/removals.h"

namespace capwright::workflow {

bool RenderedLint::is_complete() const {
  return std::all_of(outcomes_.begin(), outcomes_.end(), [](const auto& outcome) { return outcome.clean; });
}

void RenderedLint::lint(const lint::Linter& linter) {
  selection_ = linter.selection();
  clusters_.resize(outcomes_.size());
  lint::FleetLint all(linter, lint::Blame::Value);
  parallel_for(outcomes_.size(), environment_.jobs, [&](std::size_t i) {
    CompiledCluster& compiled = *outcomes_[i].cluster;
    if (!compiled.clean()) return;
    clusters_[i] = std::make_unique<lint::Cluster>(compiled, environment_.context);
    add_loose_files(compiled, *clusters_[i]);
    all.add(i, lint::lint_cluster(linter, *clusters_[i], lint::Blame::Value));
  });
  lint::Fleet wanted;
  for (const std::size_t number : all.wanted()) wanted.clusters.push_back(clusters_[number].get());
  all.finish(wanted, fleet_findings_);
}

// The tool that delivers the tree applies them, too.
void RenderedLint::add_loose_files(const CompiledCluster& compiled, lint::Cluster& cluster) const {
  if (environment_.tree == nullptr) return;
  const OutputTree& tree = *environment_.tree;
  for (LooseFile& file : files_beside(tree, compiled.files, environment_.project.options().limits))
    cluster.add_manifest(tree.shown_path(compiled.files.directory() + file.path), std::move(file.text));
}

void RenderedLint::collect(report::Findings::Keep keep) {
  findings_ = report::Findings(std::move(keep));
  findings_.add(environment_.sink.diagnostics(), environment_.sources, {}, "");
  findings_.add(environment_.project.sink().diagnostics(), environment_.sources, {}, "");
  for (const TemplateSet* set : environment_.project.sets_with_findings()) {
    of_sets_.push_back(lint::findings_of(*set, selection_, environment_.context.as_of));
    findings_.add(of_sets_.back(), set->sources, {}, "");
  }
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    const CompiledCluster& cluster = *outcomes_[i].cluster;  // comments are applied already, on the date of the run
    const bool is_linted = i < clusters_.size() && clusters_[i] != nullptr;  // its own files have secrets, too
    findings_.add(cluster.sink.diagnostics(), cluster.sources,
                  is_linted ? lint::redactor_of(*clusters_[i]) : cluster.redactor(), cluster.name,
                  outcomes_.size() > 1 ? outcomes_[i].values_path : std::string_view());
  }
  findings_.add(fleet_findings_.diagnostics(), fleet_findings_.sources(), fleet_findings_.redactor(), "");
}

LintScope RenderedLint::scope() const {
  LintScope scope;
  for (const ClusterOutcome& outcome : outcomes_) {
    scope.values_of.emplace(outcome.name, outcome.values_path);
    for (const RenderedFile& file : outcome.cluster->files.files()) scope.rendered.insert(file.path);
  }
  return scope;
}

}  // namespace capwright::workflow
