// All checks of a change in one run: the repository is opened once, and its clusters are rendered once for the tree and
// for lint. Each check has the result and the exit code of the command of its name.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "golden/check_case.h"
#include "pipeline/compile_fleet.h"
#include "report/ci_report.h"
#include "workflow/comparison.h"
#include "workflow/git_changes.h"
#include "workflow/lint_filter.h"
#include "workflow/lint_run.h"
#include "workflow/planned_fleet.h"
#include "workflow/session.h"
#include "workflow/stale_files.h"
#include "workflow/uncommitted_files.h"
#include "workflow/visited_clusters.h"

namespace capwright::workflow {

enum class Check : std::uint8_t { Render, Lint, Test, Plan };

constexpr int kPassed = 0, kFailed = 1, kBroken = 2;  // exit codes of a check

struct CiRequest {
  std::set<Check> checks{Check::Render, Check::Lint, Check::Test, Check::Plan};
  std::optional<std::string> base;  // a revision, or another checkout
  bool merge_base = false;          // use the merge base of `base` and HEAD
  GateOptions gate;
  std::optional<std::string> as_of;  // a date, for lint
  Severity fail_level = Severity::Warning;
  unsigned jobs = 0;  // 0: one per processor

  bool compares_with_revision() const;
};

class CiRun {
 public:
  // Keeps references to both arguments.
  CiRun(const RepositoryOptions& repository, const CiRequest& request);

  void run();

  // Valid after run().
  const std::vector<report::CheckLine>& lines() const { return lines_; }
  int exit_code() const { return exit_code_; }
  // Of all checks. The first of_change() of them are caused by the change, or on lines that it changes.
  std::span<const report::Finding> findings() const { return findings_; }
  std::size_t of_change() const { return of_change_; }
  // Null: there is no plan.
  const report::FleetPlan* plan() const { return plan_ ? &*plan_ : nullptr; }
  const std::vector<golden::Outcome>& cases() const { return cases_; }
  const std::vector<report::CheckedFile>& files() const { return files_; }
  // The names of clusters that have an up-to-date tree, as far as it was checked, and no errors and warnings.
  std::vector<std::string> passed_clusters() const;
  // Errors without a finding, such as an unknown revision's options, and notes; one line each.
  const std::vector<std::string>& errors() const { return errors_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // The tree of one cluster, compared with its render.
  struct Compared {
    std::string name;
    bool is_clean = false;  // rendered without errors
    bool is_encrypted = false;
    std::vector<TreeDifference> differences;
    std::string revision;  // that its Applications follow
    Sink sink;
  };

  bool has(Check check) const { return request_.checks.contains(check); }
  void finish(Check check, int code, std::string text);
  void skip(Check check, std::string text);
  void stop(Check check, const Stop& stop);

  bool open();
  void lint();
  bool prepare_lint(const LintTargets& targets);
  void count_lint();
  void compare(const CompiledCluster& compiled, Compared& compared);
  bool has_only_sources();
  void check_tree();
  void compare_encrypted();
  void report_tree();
  void report_loose(UncommittedFiles& uncommitted);
  void count_tree();
  void test();
  void read_base(Sink& faults, const std::function<void(FileSystem&, const Workspace&)>& use);
  std::optional<std::vector<golden::Case>> find_base_cases();
  void miss_cases();
  void report_case(const golden::Case& golden, const golden::Outcome& outcome);
  void check_base();
  void make_plan();
  void end_plan(const diff::FleetResult& result);
  void collect();
  void report_branches();
  void find_changes();
  void find_weaker_checks();
  void add_findings(std::span<const report::Finding> more);
  bool is_of_change(const report::Finding& finding);
  OpenProject& encrypting();
  OutputTree* tree();

  const RepositoryOptions& repository_;
  const CiRequest& request_;
  Session session_;
  std::string output_;  // the output folder before a path, as shown
  std::string no_history_;
  std::unique_ptr<GitHistory> history_;

  LintRequest lint_request_;
  LintFilter filter_;
  lint::Context context_;
  std::optional<lint::Linter> linter_;
  std::optional<LintRun> lint_;
  LintScope scope_;

  std::unique_ptr<OpenProject> encrypting_;  // where secrets are encrypted, as in the tree
  std::unique_ptr<OutputTree> encrypted_tree_;
  std::vector<std::string> values_;
  std::deque<Compared> compared_;  // by index in values_
  std::vector<ClusterOutcome> outcomes_;
  std::optional<FindingsOfClusters> of_encrypted_;  // of outcomes_
  StaleFiles stale_;
  Sink of_tree_, of_branches_, of_checks_;

  std::optional<golden::Repository> golden_;
  std::vector<golden::Outcome> cases_;
  SourceSet case_sources_;
  Sink of_cases_;

  plan::Gate gate_;
  ComparisonRequest comparison_request_;
  std::optional<Comparison> sides_;
  std::optional<PlannedFleet> planned_;
  std::optional<diff::FleetResult> compared_fleet_;
  std::optional<report::FleetPlan> plan_;
  Sink of_plan_;
  const report::Findings* of_sides_ = nullptr;  // errors in opening them

  report::Findings of_project_, of_render_, of_rest_, of_weaker_;
  std::optional<GitChanges> changes_;
  std::vector<report::Finding> findings_;
  std::size_t of_change_ = 0;
  std::vector<report::CheckedFile> files_;
  std::map<Check, report::CheckLine> results_;
  std::vector<report::CheckLine> lines_;
  std::vector<std::string> errors_, notes_;
  int exit_code_ = 0;
};

}  // namespace capwright::workflow
