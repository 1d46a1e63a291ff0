// One lint pass over all targets. Each cluster is rendered or read, linted, and freed; its findings are kept.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "files/output_tree.h"
#include "lint/engine/lint.h"
#include "lint/facts/unknown_kinds.h"
#include "report/finding.h"
#include "workflow/claims_file.h"
#include "workflow/lint_filter.h"
#include "workflow/lint_fix.h"
#include "workflow/lint_targets.h"
#include "workflow/stop.h"

namespace capwright::workflow {

class LintRun {
 public:
  // Keeps references to all arguments. `tree`: null if no cluster is rendered.
  LintRun(const LintRequest& request, OpenProject& open, const lint::Context& context, const lint::Linter& linter,
          OutputTree* tree);

  // Called for each cluster of the values files once it is rendered, by several threads, with its number.
  void on_render(std::function<void(std::size_t, const CompiledCluster&)> hook) { on_render_ = std::move(hook); }
  // Renders in memory, and runs the rules and server checks. Returns false if LintRequest::stops was set before the
  // end: then there is no result.
  bool run(LintTargets targets);
  // After run() for a part of the repository: the text of its claims file.
  std::string claims(const ClaimsHead& head);
  // Instead of run(): compares the clusters of all parts, by the files of LintRequest::merge_claims, and lints only
  // those that need a comparison. `here`: of this run.
  std::optional<Stop> merge(LintTargets targets, const ClaimsHead& here);

  void collect(report::Findings::Keep keep);
  const report::Findings& findings() const { return findings_; }

  LintScope scope() const;
  // Whether every cluster was rendered, so that no findings are missing.
  bool is_complete() const;
  void tell_secrets(LintFixes& fixes) const;
  // Named targets that aren't linted.
  const std::vector<std::string>& notes() const { return targets_.notes; }
  // Objects whose kind no known release has.
  lint::UnknownKinds unknown_kinds() const;
  // The number of linted files.
  std::size_t file_count() const;
  // These and their values, layers and templates, sorted, without built-in ones. Requires --show-files.
  std::set<std::string_view> all_files() const;

 private:
  // A cluster while rules check it.
  struct Opened {
    std::unique_ptr<CompiledCluster> compiled;  // null: from manifests
    std::unique_ptr<lint::Cluster> cluster;     // null: it couldn't be rendered
  };
  // The data that is kept of a cluster.
  struct Looked {
    std::string name;
    bool clean = false;                // rendered without errors
    std::vector<std::string> sources;  // its sources, with --show-files
    std::size_t file_count = 0;        // files of the cluster
    std::string files;                 // their paths, a zero byte after each, if something needs them
    std::string by_hand;               // the same of files that no render wrote, beside a render, as shown
    bool was_linted = false;
    std::string inputs;  // ClaimsOfCluster::inputs, if they are compared
    lint::UnknownKinds unknown_kinds;
    std::unique_ptr<lint::KeptFindings> findings;      // null: none
    std::map<std::string, std::vector<Span>> secrets;  // by path, if there may be fixes
  };

  void begin(LintTargets targets);
  Opened open(std::size_t number);
  Opened of_compiled(std::unique_ptr<CompiledCluster> compiled);
  void look(std::size_t number, Opened opened);
  void remember(const Opened& opened, Looked& looked) const;
  std::vector<std::string_view> files() const;  // the linted ones, if keeps_paths_
  std::vector<std::string> files_on_disk(const SourceSet& sources) const;
  void finish_fleet();
  std::string inputs_of(std::size_t number, const Opened& opened) const;
  std::string claims_path(std::size_t number) const;
  std::optional<Stop> add_parts(const std::vector<std::string>& files);
  void read_needed_sources(const std::vector<std::size_t>& numbers);
  std::optional<Stop> lint_needed(bool checks_all);
  void add_project_findings();
  void leave_out_rendered();
  std::string_view values_path(std::size_t number) const;      // empty: there is none
  const SourceSet* templates_alone(std::size_t number) const;  // of a set that is linted without values; otherwise null
  void report_twice();
  bool is_stopped() const { return request_.stops != nullptr && *request_.stops; }
  // Whether the cluster belongs to the part of the repository that this run checks.
  bool is_in_part(std::size_t number) const {
    return number >= targets_.values.size() || request_.shard.has(targets_.values[number]);
  }
  bool is_rendered(std::size_t number) const { return number < targets_.values.size() + targets_.sets.size(); }

  const LintRequest& request_;
  OpenProject& open_;
  const lint::Context& context_;
  lint::Context of_parts_;  // for manifests in a folder with others, which their references may name
  const lint::Linter& linter_;
  OutputTree* tree_;
  std::function<void(std::size_t, const CompiledCluster&)> on_render_;
  LintTargets targets_;
  std::vector<lint::ManifestGroup> groups_;
  std::size_t sources_ = 0;  // the number of the first groups, which are sources
  lint::FleetLint fleet_;
  // By index: values files, sets, groups of manifests.
  std::vector<Looked> looked_;
  bool keeps_paths_ = false;
  std::vector<Opened> opened_;  // the first clusters, as far as they were opened
  lint::KeptFindings fleet_findings_;
  // Findings about the configuration and template sets.
  std::deque<std::vector<Diagnostic>> of_project_;
  report::Findings findings_;
};

}  // namespace capwright::workflow
