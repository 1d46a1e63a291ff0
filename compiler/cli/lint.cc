// `capwright lint`: what is wrong with clusters, at the values, templates and manifests that people edit.
#include "lint/lint.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "admission/providers.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/lint_targets.h"
#include "cli/open_project.h"
#include "diag/catalog.h"
#include "lint/rules.h"
#include "pipeline/compile_fleet.h"
#include "pipeline/cover_secrets.h"
#include "pipeline/parallel.h"
#include "pipeline/schemas.h"
#include "report/text.h"

namespace capwright::cli {
namespace {

// The command line's lists come on top of the configuration's.
lint::Selection selection_of(const LintOptions& options, const Config& config) {
  lint::Selection selection;
  selection.select = options.select.empty() ? config.lint.select : options.select;
  selection.ignore = config.lint.ignore;
  selection.ignore.insert(selection.ignore.end(), options.ignore.begin(), options.ignore.end());
  selection.ignore_at = config.lint.ignore_at;
  selection.severities = config.lint.severities;
  return selection;
}

// The first selector that names nothing; empty when all do.
std::string unknown_selector(const lint::Selection& selection) {
  std::vector<std::string_view> given(selection.select.begin(), selection.select.end());
  given.insert(given.end(), selection.ignore.begin(), selection.ignore.end());
  for (const auto& [glob, selectors] : selection.ignore_at)
    given.insert(given.end(), selectors.begin(), selectors.end());
  for (const auto& [selector, severity] : selection.severities) given.push_back(selector);
  for (const std::string_view selector : given) {
    if (lint::is_selector(selector)) continue;
    const std::string suggestion = lint::nearest_selector(selector);
    return fmt::format("no rule is called `{}`{}{}", selector, suggestion.empty() ? "" : "; ", suggestion);
  }
  return {};
}

// Everything that one run looks at, and its findings.
class LintRun {
 public:
  LintRun(const LintOptions& options, OpenProject& open, const lint::Context& context)
      : options_(options), open_(open), context_(context) {}

  // Renders what has to be rendered in memory.
  void compile(const std::vector<std::string>& values, OutputTree& tree) {
    FleetOptions fleet;
    fleet.keep = true;
    fleet.jobs = options_.jobs;
    fleet.tree = &tree;
    outcomes_ = compile_fleet(values, *open_.project, fleet);
  }

  void lint(const lint::Linter& linter, std::vector<lint::Manifest> manifests) {
    std::vector<std::unique_ptr<lint::Cluster>> clusters(outcomes_.size());
    for (auto& group : lint::group_manifests(std::move(manifests), context_)) clusters.push_back(std::move(group));
    parallel_for(clusters.size(), options_.jobs, [&](std::size_t i) { lint_one(linter, clusters, i); });
    lint::Fleet fleet;
    for (const auto& cluster : clusters) {
      if (cluster != nullptr) fleet.clusters.push_back(cluster.get());
    }
    lint::lint_fleet(linter, fleet, options_.blame, fleet_report_);
    clusters_ = std::move(clusters);
  }

  void collect() {
    findings_.add(open_.sink.diagnostics(), open_.sources, nullptr, "");
    findings_.add(open_.project->sink().diagnostics(), open_.sources, nullptr, "");
    for (const TemplateSet* set : open_.project->sets_with_findings())
      findings_.add(set->sink.diagnostics(), set->sources, nullptr, "");
    secrets_.reserve(std::max(outcomes_.size(), clusters_.size()) + 1);
    for (const ClusterOutcome& outcome : outcomes_) {
      secrets_.emplace_back(outcome.cluster->secrets);
      findings_.add(outcome.cluster->sink.diagnostics(), outcome.cluster->sources, &secrets_.back(), outcome.name,
                    outcomes_.size() > 1 ? outcome.values_path : std::string_view());
    }
    for (std::size_t i = outcomes_.size(); i < clusters_.size(); ++i) {
      const lint::Cluster& group = *clusters_[i];
      secrets_.emplace_back(group.secrets());
      findings_.add(group.sink().diagnostics(), group.sources(), &secrets_.back(), std::string(group.name()));
    }
    secrets_.emplace_back(fleet_report_.secrets());
    findings_.add(fleet_report_.diagnostics(), fleet_report_.sources(), &secrets_.back(), "");
  }

  const report::Findings& findings() const { return findings_; }

  std::vector<std::string_view> files() const {
    std::vector<std::string_view> paths;
    for (const auto& cluster : clusters_) {
      if (cluster == nullptr) continue;
      for (const lint::File& file : cluster->files()) paths.push_back(file.path);
    }
    return paths;
  }

 private:
  void lint_one(const lint::Linter& linter, std::vector<std::unique_ptr<lint::Cluster>>& clusters, std::size_t number) {
    if (number >= outcomes_.size()) return lint::lint_cluster(linter, *clusters[number], options_.blame);
    CompiledCluster& compiled = *outcomes_[number].cluster;
    if (!compiled.clean()) return;
    clusters[number] = std::make_unique<lint::Cluster>(compiled, context_);
    lint::lint_cluster(linter, *clusters[number], options_.blame);
    cover_messages(compiled);
  }

  const LintOptions& options_;
  OpenProject& open_;
  const lint::Context& context_;
  std::vector<ClusterOutcome> outcomes_;
  std::vector<std::unique_ptr<lint::Cluster>> clusters_;  // of outcomes, then of manifests
  lint::FleetReport fleet_report_;
  std::vector<report::SecretSpans> secrets_;
  report::Findings findings_;
};

// "  12  CAP401  even-control-plane", the most frequent first.
std::string statistics(const report::Findings& findings) {
  std::map<std::string_view, std::pair<std::size_t, std::string>> counts;
  for (const report::Finding& finding : findings.all()) {
    auto& [count, name] = counts[finding.diagnostic->info->code];
    count += std::max<std::size_t>(finding.clusters.size(), 1);
    name = finding.diagnostic->info->name;
    std::replace(name.begin(), name.end(), '_', '-');
  }
  std::vector<std::pair<std::string_view, std::pair<std::size_t, std::string>>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  std::string text;
  for (const auto& [code, row] : rows) text += fmt::format("{:>6}  {:<6}  {}\n", row.first, code, row.second);
  return text;
}

int exit_code_of(const report::Findings& findings, const LintOptions& options) {
  if (findings.has_outside_fault()) return kUsageError;
  std::size_t count = findings.count(Severity::Error);
  if (options.fail_level <= Severity::Warning) count += findings.count(Severity::Warning);
  if (options.fail_level <= Severity::Note) count += findings.count(Severity::Note);
  return count != 0 && !options.exit_zero ? kFindings : kClean;
}

std::string summary_of(const report::Findings& findings) {
  const std::size_t notes = findings.count(Severity::Note);
  std::string text = report::summary(findings.count(Severity::Error), findings.count(Severity::Warning));
  if (notes != 0) text += fmt::format("{}{} note{}", text.empty() ? "" : ", ", notes, notes == 1 ? "" : "s");
  return text;
}

int finish(const LintRun& run, const LintOptions& options, Console& console) {
  if (options.show_files) {
    for (const std::string_view path : run.files()) console.print(std::string(path) + "\n");
  }
  if (options.statistics) console.print(statistics(run.findings()));
  else console.show_as_result(run.findings());
  const std::size_t files = run.files().size();
  if (!console.flush()) return kUsageError;  // so that what comes last is said last
  if (const std::string counted = summary_of(run.findings()); !counted.empty()) console.say(counted);
  else console.say(fmt::format("nothing found in {} file{}", files, files == 1 ? "" : "s"));
  return exit_code_of(run.findings(), options);
}

}  // namespace

int run_lint(const LintOptions& options) {
  Console console(options.common);
  const auto open = open_project({.common = options.common,
                                  .values = options.values,
                                  .plain = options.plain,
                                  .writes = false,
                                  .output = std::nullopt,
                                  .upgrade_set = true});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  const Config& config = open->project->config();
  const lint::Selection selection = selection_of(options, config);
  if (const std::string fault = unknown_selector(selection); !fault.empty()) return console.fail(fault), kUsageError;
  LintTargets targets = find_lint_targets(*open, options);
  Stage stage{open->sources, open->sink, open->arena, open->origins, open->limits};
  const KnownSchemas schemas = load_schemas(open->fs, open->project->workspace(), config, stage);
  OutputTree tree(open->fs, open->output_folder(std::nullopt), config.output == "." ? "" : config.output + "/");
  if (open->sink.failed() || (!targets.values.empty() && !tree.open(OutputTree::Access::Look, open->sink)))
    return std::max<int>(show_faults(*open, console), kFindings);
  const admission::Providers providers(admission::built_in_rules());
  const lint::Linter linter(selection, {schemas.registry.get(), &providers});
  const lint::Context context{open->limits, schemas.registry.get(), options.as_of.value_or(lint::catalogue_date()),
                              config.lint.externals, options.targets.empty()};
  LintRun run(options, *open, context);
  run.compile(targets.values, tree);
  run.lint(linter, std::move(targets.manifests));
  run.collect();
  return finish(run, options, console);
}

}  // namespace capwright::cli
