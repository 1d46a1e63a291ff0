// Names what a change edits of its own checks, which could hide findings about it: `lint:` of capwright.yaml, entries
// of the baseline, the repository's rules and suppressions.
#pragma once
#include <set>
#include <string>

#include "lint/engine/baseline.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

class WeakerChecks {
 public:
  // The repository to compare with, in its file system. Keeps references to all arguments. Findings go to `sink`, with
  // places in the sources of `open`.
  WeakerChecks(FileSystem& base, const Workspace& at, OpenProject& open, Sink& sink)
      : base_(base), at_(at), open_(open), sink_(sink), earlier_(open.limits) {}

  // `baseline`: of this side; null: none. `files`: paths of the files that lint reads for comments.
  void report(const lint::Baseline* baseline, const std::set<std::string, std::less<>>& files);

 private:
  void apply_severity();
  void compare_settings();
  void compare_rules();
  void compare_baselines(const lint::Baseline& baseline);
  void compare_comments(const std::string& path);

  FileSystem& base_;
  const Workspace& at_;
  OpenProject& open_;
  Sink& sink_;
  OwnStage earlier_;
  Config config_;  // of the base
};

}  // namespace capwright::workflow
