// One lint pass over the targets of a request.
#pragma once
#include <memory>
#include <optional>

#include "lint/fixes/fix_trials.h"
#include "workflow/lint_run.h"
#include "workflow/lint_stream.h"
#include "workflow/session.h"

namespace capwright::workflow {

class LintPass {
 public:
  // Keeps a reference to the request. `edits` replace files, by shown path.
  LintPass(const RepositoryOptions& repository, const LintRequest& request, const lint::Texts& edits);

  // Opens the repository and loads the selected rules.
  std::optional<Stop> open();
  // Whether a target is too long to be in memory. Then stream() replaces judge().
  bool is_long();
  // Reads, renders in memory, and runs the rules and server checks.
  std::optional<Stop> judge();
  std::optional<Stop> stream(StreamFindings& findings);

  OpenProject& project() { return session_.open(); }
  const lint::Selection& selection() { return session_.setup().selection; }
  // Valid after judge().
  LintRun& run() { return *run_; }
  // After judge(): writes LintRequest::claims.
  std::optional<Stop> write_claims();
  // Templates were linted, but no cluster that they render.
  bool has_only_templates() const { return has_only_templates_; }
  // The pass includes the complete repository, as it is on disk.
  bool is_whole() const;

 private:
  std::optional<Stop> prepare(const LintTargets& targets, bool is_stream);
  void report_unused(const LintTargets& targets);

  const LintRequest& request_;
  Session session_;
  lint::Context context_;
  std::optional<lint::Linter> linter_;
  std::optional<LintRun> run_;
  ClaimsHead head_;  // of this run, if it is one of a part or compares parts
  bool has_only_templates_ = false;
};

}  // namespace capwright::workflow
