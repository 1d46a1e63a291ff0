// Filters the findings of lint: leaves out those in a baseline, and those on unchanged lines.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "lint/engine/baseline.h"
#include "lint/engine/selection.h"
#include "report/finding.h"
#include "workflow/git_changes.h"
#include "workflow/open_project.h"
#include "workflow/stop.h"

namespace capwright::workflow {

// The scope of a run, for filters.
struct LintScope {
  std::set<std::string, std::less<>> rendered;                // paths of the files of all clusters
  std::map<std::string, std::string, std::less<>> values_of;  // each cluster's own values file
  std::set<std::string, std::less<>> files;                   // linted as manifests, or read to render clusters
  std::set<std::string, std::less<>> folders;                 // in `clusters/`, without values files, that were linted
  bool all_clusters = true;                                   // renders all clusters
  bool whole_folder = false;                                  // and all manifests of the repository

  // Whether it includes everything that `lint` without targets checks, or everything in the folder.
  bool has_everything() const { return all_clusters || whole_folder; }
};

class LintFilter {
 public:
  // Reads the baseline and runs git.
  std::optional<Stop> open(const LintRequest& request, OpenProject& open);

  // As read; null: there is none. Valid after open().
  const lint::Baseline* listed() const { return listed_ ? &*listed_ : nullptr; }
  // For one lint pass; keeps a reference to `scope`.
  report::Findings::Keep keep(const LintScope& scope);
  // Whether it uses a scope at all.
  bool asks_for_scope() const { return baseline_.has_value() || changes_.has_value(); }
  // After the pass: the number of unused baseline entries of enabled rules within the scope, with the first of them.
  // Empty if there are none.
  std::string stale_entries(const lint::Selection& selection, const LintScope& scope, OpenProject& open) const;

 private:
  bool is_new(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster, const LintScope& scope);

  std::string baseline_path_;
  std::optional<lint::Baseline> listed_, baseline_;  // as read, and reduced to the entries that matched
  std::optional<GitChanges> changes_;
};

// Writes findings to a baseline: `--write-baseline`.
class BaselineWriter {
 public:
  // Keeps references to both arguments.
  BaselineWriter(const LintRequest& request, const LintScope& scope) : request_(request), scope_(scope) {}

  // Reads the existing baseline. An invalid one is overwritten if this run covers the whole repository with all rules
  // and its own values; otherwise it is an error.
  std::optional<Stop> open(OpenProject& open);
  // Accepts all findings.
  report::Findings::Keep keep();
  // Whether a baseline can list all of them: an error of a render hides others.
  static bool can_list(const report::Findings& findings);
  // Keeps existing entries that this run can't check. `said`: what was written.
  std::optional<Stop> write(const lint::Selection& selection, OpenProject& open, std::string& said);

 private:
  void keep_unseen(const lint::Selection& selection, OpenProject& open);

  const LintRequest& request_;
  const LintScope& scope_;
  std::string path_;  // as shown
  std::optional<lint::Baseline> earlier_;
  lint::Baseline baseline_;
};

}  // namespace capwright::workflow
