// Filters the findings of lint: leaves out those in a baseline, and those on unchanged lines.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "cli/git_changes.h"
#include "cli/open_project.h"
#include "lint/engine/baseline.h"
#include "lint/engine/selection.h"
#include "report/finding.h"

namespace capwright::cli {

// The scope of a run, for filters.
struct LintScope {
  std::set<std::string, std::less<>> rendered;                // paths of the files of all clusters
  std::map<std::string, std::string, std::less<>> values_of;  // each cluster's own values file
  std::set<std::string, std::less<>> files;                   // linted as manifests, or read to render clusters
  bool all_clusters = true;                                   // renders all clusters
  bool whole_folder = false;                                  // and all manifests of the repository

  // Whether it includes everything that `lint` without targets checks, or everything in the folder.
  bool has_everything() const { return all_clusters || whole_folder; }
};

class LintFilter {
 public:
  // Reads the baseline and runs git. Returns the exit code after showing an error.
  std::optional<int> open(const LintOptions& options, OpenProject& open, Console& console);

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
  BaselineWriter(const LintOptions& options, const LintScope& scope) : options_(options), scope_(scope) {}

  // Reads the existing baseline. An invalid one is overwritten if this run covers the whole repository with all rules
  // and its own values; otherwise it is an error. Returns the exit code after showing an error.
  std::optional<int> open(OpenProject& open, Console& console);
  // Accepts all findings.
  report::Findings::Keep keep();
  // Returns the exit code. Keeps existing entries that this run can't check.
  int write(const report::Findings& findings, const lint::Selection& selection, OpenProject& open, Console& console);

 private:
  void keep_unseen(const lint::Selection& selection, OpenProject& open);

  const LintOptions& options_;
  const LintScope& scope_;
  std::string path_;  // as shown
  std::optional<lint::Baseline> earlier_;
  lint::Baseline baseline_;
};

}  // namespace capwright::cli
