// The two sides that `diff` and `plan` compare, by the options that both have: the tree and what would be rendered into
// it, two renders of the repository, or two folders.
#pragma once
#include <memory>
#include <string>

#include "cli/base_project.h"
#include "cli/git_history.h"
#include "cli/open_project.h"
#include "diff/fleet.h"
#include "git/repository.h"
#include "pipeline/schemas.h"

namespace capwright::cli {

// Opens the repository of the working directory for a comparison.
std::unique_ptr<OpenProject> open_for(const ComparisonOptions& options);

// Findings are text, whatever form the result has.
CommonOptions for_findings(CommonOptions common);

class Comparison {
 public:
  // All are kept.
  Comparison(const ComparisonOptions& options, OpenProject& open, Console& console);

  // False when a side can't be opened; then the console or a sink has it.
  bool prepare(diff::Traces traces = diff::Traces::Calls);

  // The rest is to be asked after that.
  diff::PairSource& pairs() const { return *pairs_; }
  const std::string& before() const { return before_name_; }  // what the sides are: "the tree", "HEAD~1"
  const std::string& after() const { return after_name_; }
  // Null without a repository.
  const crd::Registry* registry() const { return schemas_.registry.get(); }

  // What went wrong, and what a comparison found besides; of a result that is kept. Null: nothing was compared.
  const report::Findings& faults(const diff::FleetResult* result);
  // Shows it. Whether nothing went wrong on this side: a base that can't be rendered is no fault of what comes after.
  bool show_faults(const diff::FleetResult* result);
  // Whether the folder of a cluster is in the tree of this side. False for folders. Threads may ask.
  bool keeps_folder(const std::string& cluster) const;

 private:
  void load_kinds();
  void survey(const diff::FleetResult& result);
  void add_failed(const diff::FleetResult& result, bool of_before);
  bool open_folders();
  bool open_tree();
  bool open_output(const std::optional<std::string>& given);
  bool open_base();
  FileSystem* find_base(Workspace& workspace);

  const ComparisonOptions& options_;
  diff::Traces traces_ = diff::Traces::Calls;
  OpenProject& open_;
  Console& console_;
  std::unique_ptr<git::Repository> repository_;
  std::unique_ptr<git::CommitFiles> commit_files_;
  std::unique_ptr<BaseProject> base_;
  std::unique_ptr<GitHistory> history_;
  std::unique_ptr<OutputTree> tree_;
  KnownSchemas schemas_;
  std::unique_ptr<diff::PairSource> pairs_;
  std::string before_name_, after_name_;
  Sink surveyed_;  // what the names of all clusters tell
  std::optional<report::Findings> faults_;
  std::vector<report::SecretSpans> secrets_;
};

}  // namespace capwright::cli
