// Which findings a report of lint leaves out: those that a baseline lists, and those on lines that are as they were.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "cli/git_changes.h"
#include "cli/open_project.h"
#include "lint/baseline.h"
#include "lint/selection.h"
#include "report/finding.h"

namespace capwright::cli {

// What a filter has to know of a run.
struct LintScope {
  std::set<std::string, std::less<>> rendered;                // paths of the files of all clusters
  std::map<std::string, std::string, std::less<>> values_of;  // by cluster: its own values file
  std::set<std::string, std::less<>> files;                   // looked at, as manifests or to render clusters
  bool all_clusters = true;                                   // that are rendered
  bool whole_folder = false;                                  // and all manifests of the repository

  // That counts for `lint` without targets, or that lies there.
  bool has_everything() const { return all_clusters || whole_folder; }
};

class LintFilter {
 public:
  // Reads the baseline, asks git. The exit code when one of them can't be had; why is shown then.
  std::optional<int> open(const LintOptions& options, OpenProject& open, Console& console);

  // For one look at everything; `scope` is kept.
  report::Findings::Keep keep(const LintScope& scope);
  // Whether it looks at a scope at all.
  bool asks_for_scope() const { return baseline_.has_value() || changes_.has_value(); }
  // After it: how many entries of the baseline were not met, of rules that were asked and things that were looked at,
  // with the first of them. Empty when there are none.
  std::string stale_entries(const lint::Selection& selection, const LintScope& scope, OpenProject& open) const;

 private:
  bool is_new(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster, const LintScope& scope);

  std::string baseline_path_;
  std::optional<lint::Baseline> listed_, baseline_;  // as it was read, and as far as it was met
  std::optional<GitChanges> changes_;
};

// Writes what is found into a baseline: `--write-baseline`.
class BaselineWriter {
 public:
  // Both are kept.
  BaselineWriter(const LintOptions& options, const LintScope& scope) : options_(options), scope_(scope) {}

  // Reads what is written already. The exit code when that can't be had, and this run sees less than the repository
  // with all rules and its own values; why is shown then.
  std::optional<int> open(OpenProject& open, Console& console);
  // All findings are taken.
  report::Findings::Keep keep();
  // The exit code. What was listed and can't be known to be gone stays.
  int write(const report::Findings& findings, const lint::Selection& selection, OpenProject& open, Console& console);

 private:
  void keep_unseen(const lint::Selection& selection, OpenProject& open);

  const LintOptions& options_;
  const LintScope& scope_;
  std::string path_;  // shown
  std::optional<lint::Baseline> earlier_;
  lint::Baseline baseline_;
};

}  // namespace capwright::cli
