// Rendering for the tree and for lint is one render, except for clusters with encrypted files: the tree has what the
// program made, and rules read the plain objects.
#include "workflow/ci_run.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "diag/catalog/tree.h"
#include "lint/engine/selection.h"
#include "pipeline/compile_fleet.h"
#include "pipeline/removals.h"
#include "report/diff_words.h"
#include "report/text.h"
#include "rotation/keep.h"
#include "secrets/manifest_text.h"
#include "workflow/followed_branch.h"
#include "workflow/layer_findings.h"
#include "workflow/lint_targets.h"
#include "workflow/uncommitted_files.h"

namespace capwright::workflow {
namespace {

std::string_view check_name(Check check) {
  constexpr std::string_view kNames[] = {"render", "lint", "test", "plan"};
  return kNames[static_cast<std::size_t>(check)];
}

int code_of(const report::Findings& findings) {
  if (findings.has_outside_fault()) return kBroken;
  return findings.count(Severity::Error) != 0 ? kFailed : kPassed;
}

// Whether the tree has other bytes than the render without `sops` and `kubeseal`.
bool has_encrypted_files(const CompiledCluster& compiled) {
  return compiled.secret_form.name == "sops" || compiled.secret_form.name == "sealed";
}

std::string counts_of(const report::Findings& findings) {
  const std::size_t notes = findings.count(Severity::Note);
  std::string text = report::summary(findings.count(Severity::Error), findings.count(Severity::Warning));
  if (notes != 0) text += (text.empty() ? "" : ", ") + report::counted(notes, "note");
  return text;
}

}  // namespace

bool CiRequest::compares_with_revision() const {
  std::error_code failed;
  return base && !std::filesystem::is_directory(*base, failed);
}

CiRun::CiRun(const RepositoryOptions& repository, const CiRequest& request)
    : repository_(repository),
      request_(request),
      session_({.repository = repository,
                .values = {},
                .plain = {},
                .writes = request.checks.contains(Check::Render),
                .output = {},
                .encrypts = !request.checks.contains(Check::Lint) && !request.base,
                .keeps_manifests = true}) {
  lint_request_.as_of = request.as_of;
  lint_request_.jobs = request.jobs;
  lint_request_.show_files = request.base.has_value();  // find_weaker_checks() reads all of them
  comparison_request_.base = request.base;
  comparison_request_.merge_base = request.merge_base;
  comparison_request_.jobs = request.jobs;
}

void CiRun::run() {
  if (open()) {
    if (has(Check::Lint)) lint();
    if (has(Check::Render)) check_tree();
    if (has(Check::Test)) test();
    if (has(Check::Plan)) make_plan();
    else if (request_.compares_with_revision()) check_base();
  }
  collect();
}

void CiRun::finish(Check check, int code, std::string text) {
  exit_code_ = std::max(exit_code_, code);
  std::string_view result = code == kPassed ? "passed" : "error";
  if (code == kFailed) result = "failed";
  results_[check] = {check_name(check), result, std::move(text)};
}

void CiRun::skip(Check check, std::string text) { results_[check] = {check_name(check), "skipped", std::move(text)}; }

void CiRun::stop(Check check, const Stop& stop) {
  errors_.insert(errors_.end(), stop.messages.begin(), stop.messages.end());
  report::Findings findings;
  add_own_findings(session_.open(), findings);
  finish(check, std::max(code_of(findings), stop.is_about_input ? kFailed : kBroken), "stopped by the errors above");
}

bool CiRun::open() {
  OpenProject& open = session_.open();
  if (open.project == nullptr) {
    for (const Check check : request_.checks) finish(check, kBroken, "the configuration has errors");
    return false;
  }
  const std::string& output = open.project->config().output;
  output_ = output == "." ? "" : output + "/";
  history_ = GitHistory::open(open.files, open.output_folder(std::nullopt), no_history_);
  return true;
}

OutputTree* CiRun::tree() {
  OutputTree* tree = session_.tree();
  if (tree != nullptr) tree->use_history(history_.get());
  return tree;
}

OpenProject& CiRun::encrypting() {
  if (session_.open().project->options().encrypts) return session_.open();
  if (encrypting_ == nullptr)
    encrypting_ = open_project(
        {.repository = repository_, .values = {}, .plain = {}, .writes = false, .output = {}, .encrypts = true});
  return *encrypting_;
}

bool CiRun::prepare_lint(const LintTargets& targets) {
  OpenProject& open = session_.open();
  session_.load_schemas();
  OutputTree* const rendered = targets.values.empty() ? nullptr : tree();
  if (open.sink.failed() || (!targets.values.empty() && rendered == nullptr)) return false;
  linter_.emplace(session_.setup().linter());
  context_ = session_.setup().context(*open.project, targets.all_clusters);
  if (request_.as_of) context_.as_of = *request_.as_of;
  lint_.emplace(lint_request_, open, context_, *linter_, rendered);
  return true;
}

void CiRun::lint() {
  OpenProject& open = session_.open();
  if (const auto why = session_.load_rules(lint_request_)) return stop(Check::Lint, *why);
  if (const auto why = filter_.open(lint_request_, open)) return stop(Check::Lint, *why);
  LintTargets targets = find_lint_targets(
      open,
      {.targets = lint_request_.targets, .stdin_filename = lint_request_.stdin_filename, .reads_unrendered = true});
  report_unused_layers(open, targets.values);
  if (!prepare_lint(targets)) return stop(Check::Lint, Stop{{}, true});
  values_ = targets.values;
  compared_.resize(values_.size());
  lint_->on_render([this](std::size_t number, const CompiledCluster& compiled) {
    compared_[number].name = compiled.name;
    compared_[number].revision = followed_revision(compiled);
    if (has(Check::Render)) compare(compiled, compared_[number]);
  });
  lint_->run(std::move(targets));
  scope_ = lint_->scope();
  lint_->collect(filter_.keep(scope_));
  count_lint();
}

void CiRun::count_lint() {
  const report::Findings& findings = lint_->findings();
  int code = code_of(findings);
  if (request_.fail_level <= Severity::Warning && findings.count(Severity::Warning) != 0)
    code = std::max(code, kFailed);
  if (request_.fail_level <= Severity::Note && findings.count(Severity::Note) != 0) code = std::max(code, kFailed);
  const std::string counts = counts_of(findings);
  finish(
      Check::Lint, code,
      fmt::format("{} in {}", counts.empty() ? "no findings" : counts, report::counted(lint_->file_count(), "file")));
}

// Called by several threads, each for another cluster.
void CiRun::compare(const CompiledCluster& compiled, Compared& compared) {
  compared.is_clean = compiled.clean();
  compared.is_encrypted = has_encrypted_files(compiled);
  if (!compared.is_clean || compared.is_encrypted) return;
  OutputTree& tree = *session_.tree();
  compared.differences =
      check_cluster(tree, compiled.files, compiled.stamp, {{}, secrets::may_hold_secret_data}, compared.sink);
  report_loose_removals(tree, compared.name, &compiled.files, session_.open().limits, compared.sink);
}

// Manifests of sources aren't rendered.
bool CiRun::has_only_sources() { return values_.empty() && !session_.open().project->config().sources.empty(); }

void CiRun::check_tree() {
  if (!lint_) {
    values_ = choose_clusters(encrypting(), {});
    if (encrypting().sink.failed()) return stop(Check::Render, Stop{{}, true});
    compared_.resize(values_.size());
    for (Compared& compared : compared_) compared.is_encrypted = true;
  }
  if (has_only_sources()) return skip(Check::Render, "only sources");
  compare_encrypted();
  report_tree();
  count_tree();
}

void CiRun::compare_encrypted() {
  std::vector<std::string> paths;
  std::vector<Compared*> places;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!compared_[i].is_encrypted) continue;
    paths.push_back(values_[i]);
    places.push_back(&compared_[i]);
  }
  if (!paths.empty()) {
    OpenProject& open = encrypting();
    encrypted_tree_ = std::make_unique<OutputTree>(open.fs, open.output_folder(std::nullopt), output_);
    encrypted_tree_->use_history(history_.get());
    encrypted_tree_->allow(open.project->outputs());
    FleetOptions fleet;
    fleet.task = FleetOptions::Task::Check;
    fleet.jobs = request_.jobs;
    fleet.tree = encrypted_tree_.get();
    fleet.shown = {open.progress, "Rendering", "clusters"};
    of_encrypted_.emplace(paths.size());
    fleet.visit = [this](std::size_t number, ClusterOutcome& outcome) { of_encrypted_->take(number, outcome); };
    if (encrypted_tree_->open(OutputTree::Access::Read, open.sink))
      outcomes_ = compile_fleet(paths, *open.project, fleet);
    if (!lint_) report_unused_layers(open, values_);
  }
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    places[i]->name = outcomes_[i].name;
    places[i]->is_clean = outcomes_[i].clean;
    places[i]->differences = std::move(outcomes_[i].differences);
  }
  if (encrypting_ != nullptr) add_project_findings(*encrypting_, of_render_);
  if (of_encrypted_) of_encrypted_->add_to(of_render_, outcomes_, values_.size() > 1);
}

// Folders that no cluster renders into are only known if all clusters are.
void CiRun::report_loose(UncommittedFiles& uncommitted) {
  OutputTree* all = encrypted_tree_.get();
  if (all == nullptr) all = tree();
  const bool is_complete =
      std::all_of(compared_.begin(), compared_.end(), [](const Compared& compared) { return compared.is_clean; });
  report_submodules(session_.open().files, session_.open().output_folder(std::nullopt), of_tree_);
  if (all == nullptr || !is_complete) return;
  std::set<std::string> names;
  for (const Compared& compared : compared_) names.insert(compared.name);
  uncommitted.add_local_clusters(*all, names);
  report_unclaimed(*all, names, of_tree_, Severity::Error);
  report_loose_removals(*all, names, session_.open().limits, of_tree_);
}

void CiRun::report_tree() {
  UncommittedFiles uncommitted(session_.open());
  for (Compared& compared : compared_) uncommitted.drop_from(compared.differences, compared.name);
  bool retires = false;
  for (const Compared& compared : compared_) {
    for (const TreeDifference& difference : compared.differences) {
      stale_.report(difference, output_, session_.open().output_folder(std::nullopt));
      files_.push_back({output_ + difference.path, difference.diff});
      retires |= difference.path.ends_with(rotation::kRetiredFile);
    }
  }
  report_loose(uncommitted);
  if (retires && !no_history_.empty()) of_tree_.report(diag::generations_from_folder, Span(), no_history_);
}

void CiRun::count_tree() {
  const SourceSet none;
  report::Findings of_trees;
  of_trees.add(of_tree_.diagnostics(), none, {}, "");
  for (const Compared& compared : compared_) of_trees.add(compared.sink.diagnostics(), none, {}, "");
  int code = std::max(code_of(of_render_), code_of(of_trees));
  std::size_t broken = 0, stale = 0;
  for (const Compared& compared : compared_) {
    broken += compared.is_clean ? 0 : 1;
    stale += compared.differences.empty() ? 0 : 1;
  }
  if (lint_ && broken != 0) code = std::max(code, code_of(lint_->findings()));
  if (broken + stale != 0) code = std::max(code, kFailed);
  std::string text = broken == 0 ? "" : report::counted(broken, "cluster") + " can't be rendered";
  if (stale != 0)
    text += fmt::format("{}{} in {} out of date", text.empty() ? "" : ", ", report::counted(files_.size(), "file"),
                        report::counted(stale, "cluster"));
  const auto all = of_trees.all();
  const auto unclaimed = std::count_if(all.begin(), all.end(), [](const report::Finding& finding) {
    return finding.diagnostic->info == &diag::cluster_without_values.info;
  });
  if (unclaimed != 0)
    text += fmt::format("{}{} without a values file", text.empty() ? "" : ", ",
                        report::counted(static_cast<std::size_t>(unclaimed), "folder"));
  if (code != kPassed && text.empty()) text = "stopped by the errors above";
  finish(Check::Render, code, text.empty() ? report::counted(compared_.size(), "cluster") + " up to date" : text);
}

}  // namespace capwright::workflow
