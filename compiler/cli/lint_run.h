// One look at everything that `lint` is pointed at. A cluster is rendered or read, linted, and let go of; what is found
// stays.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/lint_filter.h"
#include "cli/lint_fix.h"
#include "cli/lint_targets.h"
#include "lint/lint.h"
#include "report/finding.h"

namespace capwright::cli {

class LintRun {
 public:
  // All are kept.
  LintRun(const LintOptions& options, OpenProject& open, const lint::Context& context, const lint::Linter& linter,
          OutputTree& tree);

  // Renders what has to be rendered in memory, asks the rules and the server.
  void run(LintTargets targets);

  void collect(report::Findings::Keep keep);
  const report::Findings& findings() const { return findings_; }

  LintScope scope() const;
  // Whether every cluster could be rendered, so that nothing is hidden.
  bool is_complete() const;
  void tell_secrets(LintFixes& fixes) const;
  // What was named and isn't looked at.
  const std::vector<std::string>& notes() const { return targets_.notes; }
  // Objects of kinds that no release has which is known.
  std::size_t unknown_kinds() const;
  // That rules have looked at.
  std::vector<std::string_view> files() const;
  // These and the values, layers and templates that they come from, sorted; built-in ones left out. With --show-files.
  std::set<std::string_view> all_files() const;

 private:
  // A cluster as long as rules look at it.
  struct Opened {
    std::unique_ptr<CompiledCluster> compiled;  // null: of manifests
    std::unique_ptr<lint::Cluster> cluster;     // null: it could not be rendered
  };
  // What is left of it then.
  struct Looked {
    std::string name, values_path;
    bool clean = false;                // rendered without errors
    std::vector<std::string> sources;  // what it is made from, with --show-files
    std::vector<std::string> files;    // of the cluster, and with templates alone those
    bool was_linted = false;
    std::size_t unknown_kinds = 0;
    std::unique_ptr<lint::KeptFindings> findings;
    std::map<std::string, std::vector<Span>> secrets;  // by path, if there may be fixes
  };

  Opened open(std::size_t number);
  Opened of_compiled(std::unique_ptr<CompiledCluster> compiled);
  void look(std::size_t number, Opened opened);
  void remember(const Opened& opened, Looked& looked) const;
  std::vector<std::string> files_on_disk(const SourceSet& sources) const;
  void finish_fleet();
  void add_project_findings();
  void leave_out_rendered();
  bool is_rendered(std::size_t number) const { return number < targets_.values.size() + targets_.sets.size(); }

  const LintOptions& options_;
  OpenProject& open_;
  const lint::Context& context_;
  lint::Context of_parts_;  // for manifests beside which others lie: what they refer to may be there
  const lint::Linter& linter_;
  OutputTree& tree_;
  LintTargets targets_;
  std::vector<lint::ManifestGroup> groups_;
  lint::FleetLint fleet_;
  // By number: values files, sets, groups of manifests.
  std::vector<Looked> looked_;
  std::vector<Opened> opened_;  // the first of them, as far as it was opened
  lint::KeptFindings fleet_findings_;
  // What was found of the configuration and of template sets.
  std::deque<std::vector<Diagnostic>> of_project_;
  std::vector<report::SecretSpans> secrets_;
  report::Findings findings_;
};

}  // namespace capwright::cli
