// Lints a rendered fleet that stays in memory, for commands that also use it otherwise.
#pragma once
#include <deque>
#include <vector>

#include "files/output_tree.h"
#include "lint/engine/lint.h"
#include "pipeline/compile_fleet.h"
#include "report/finding.h"
#include "workflow/lint_filter.h"

namespace capwright::workflow {

// The environment of a run; all of it must outlive the run.
struct LintEnvironment {
  Project& project;
  const Sink& sink;  // of opening the project
  const SourceSet& sources;
  const lint::Context& context;
  unsigned jobs = 0;
  const OutputTree* tree = nullptr;  // the files beside each render are linted, too; null: there are none
};

class RenderedLint {
 public:
  // `outcomes` must contain all their clusters.
  RenderedLint(const LintEnvironment& environment, std::vector<ClusterOutcome> outcomes)
      : environment_(environment), outcomes_(std::move(outcomes)) {}

  const std::vector<ClusterOutcome>& outcomes() const { return outcomes_; }
  // Whether every cluster was rendered, so that no findings are missing.
  bool is_complete() const;

  void lint(const lint::Linter& linter);
  // Call it once: collects the findings that are reported, including those of rendering.
  void collect(report::Findings::Keep keep);
  const report::Findings& findings() const { return findings_; }
  LintScope scope() const;

 private:
  void add_loose_files(const CompiledCluster& compiled, lint::Cluster& cluster) const;

  const LintEnvironment environment_;
  std::vector<ClusterOutcome> outcomes_;
  std::vector<std::unique_ptr<lint::Cluster>> clusters_;  // of outcomes
  lint::KeptFindings fleet_findings_;
  lint::Selection selection_;  // of rules, for findings of a render
  std::deque<std::vector<Diagnostic>> of_sets_;
  report::Findings findings_;
};

}  // namespace capwright::workflow
