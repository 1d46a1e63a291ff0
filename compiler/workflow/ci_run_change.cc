// Golden cases, the plan, and the findings of all checks in one order.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "diag/catalog/repository.h"
#include "git/repository.h"
#include "golden/result_formats.h"
#include "pipeline/parallel.h"
#include "report/diff_words.h"
#include "report/plan_words.h"
#include "report/text.h"
#include "text/kubectl.h"
#include "workflow/ci_run.h"
#include "workflow/followed_branch.h"
#include "workflow/weaker_checks.h"

namespace capwright::workflow {

void CiRun::test() {
  OpenProject& open = session_.open();
  const Config& config = open.project->config();
  const std::string folder = open.project->workspace().io_path(golden::kFolder);
  golden_.emplace(open.fs, open.project->workspace(), std::string(), &open.programs);
  if (config.file != FileId::None) golden_->config = open.sources.path(config.file);
  FileStat stat;
  if (!open.fs.stat(folder, stat) && stat.type == FileType::Directory)
    golden_->cases = golden::find_cases(open.fs, folder, of_cases_);
  if (of_cases_.failed()) return finish(Check::Test, kBroken, "stopped by the errors above");
  if (golden_->cases.empty()) return miss_cases();
  cases_.resize(golden_->cases.size());
  parallel_for(cases_.size(), request_.jobs, {open.progress, "Testing", "cases"},
               [&](std::size_t i) { cases_[i] = golden::check_case(golden_->cases[i], *golden_); });
  for (std::size_t i = 0; i < cases_.size(); ++i) report_case(golden_->cases[i], cases_[i]);
  finish(Check::Test, of_cases_.failed() ? kFailed : kPassed, golden::summary(cases_));
}

// The files of `--base`, if it exists: the plan, or check_base(), reports an unknown revision.
void CiRun::read_base(Sink& faults, const std::function<void(FileSystem&, const Workspace&)>& use) {
  OpenProject& open = session_.open();
  Workspace at;
  if (!request_.compares_with_revision()) {
    at.prefix = *request_.base + (request_.base->ends_with('/') ? "" : "/");
    return use(open.fs, at);
  }
  Sink unknown;
  std::error_code failed;
  const std::string& prefix = open.project->workspace().prefix;
  const std::string root = std::filesystem::weakly_canonical(prefix.empty() ? "." : prefix, failed).string();
  const auto repository = git::open_repository(root, unknown);
  if (repository == nullptr) return;
  const auto folder = repository->path_below_root(root);
  const auto commit = request_.merge_base ? repository->merge_base(*request_.base, unknown)
                                          : repository->commit(*request_.base, unknown);
  if (!commit || !folder) return;
  const auto files = repository->files(*commit, *folder, faults);
  if (files == nullptr) return;
  use(*files, at);
  const auto missing = files->unreadable();
  if (missing) git::report_missing_objects(*repository, *request_.base, *missing, faults);
}

// Of `--base`; empty: they can't be read.
std::optional<std::vector<golden::Case>> CiRun::find_base_cases() {
  std::vector<golden::Case> cases;
  if (!request_.base) return cases;
  read_base(of_cases_, [&](FileSystem& fs, const Workspace& at) {
    FileStat stat;
    const std::string folder = at.io_path(golden::kFolder);
    if (!fs.stat(folder, stat) && stat.type == FileType::Directory) cases = golden::find_cases(fs, folder, of_cases_);
  });
  if (of_cases_.failed()) return std::nullopt;
  return cases;
}

// A change must not pass because it removes what would have failed.
void CiRun::miss_cases() {
  const auto cases = find_base_cases();
  if (!cases) return finish(Check::Test, kBroken, "stopped by the errors above");
  if (cases->empty()) return skip(Check::Test, "no golden cases");
  constexpr std::size_t kShown = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(cases->size(), kShown); ++i)
    names += fmt::format("{}`{}`", i == 0 ? "" : ", ", (*cases)[i].title());
  if (cases->size() > kShown) names += fmt::format(" and {} more", cases->size() - kShown);
  const std::string folder = shell_word(session_.open().project->workspace().io_path(golden::kFolder));
  std::string command = fmt::format("git checkout {} -- {}", shell_word(*request_.base), folder);
  if (request_.merge_base)
    command = fmt::format("git checkout $(git merge-base HEAD {}) -- {}", shell_word(*request_.base), folder);
  if (!request_.compares_with_revision())
    command = fmt::format("cp -r {} {}", shell_word((std::filesystem::path(*request_.base) / golden::kFolder).string()),
                          folder);
  of_cases_.report(diag::golden_cases_removed, Span(), names).advise(fmt::format("restore them with `{}`", command));
  finish(Check::Test, kFailed,
         fmt::format("the base has {}, this change has none", report::counted(cases->size(), "golden case")));
}

void CiRun::report_case(const golden::Case& golden, const golden::Outcome& outcome) {
  if (outcome.faults.empty()) return;
  std::string path = fmt::format("{}/{}", golden::kFolder, golden.title());
  if (!golden.values.empty()) path += "/" + golden.values;
  const FileId file = case_sources_.add(std::move(path), "");
  std::string what = outcome.faults.front().what;
  if (outcome.faults.size() > 1) what += fmt::format("; and {} more", outcome.faults.size() - 1);
  std::string edit = outcome.faults.front().help;  // an update doesn't correct errors
  if (edit.empty() && !outcome.edits.empty())
    edit = fmt::format("`capwright test --update --case {}` accepts the render", golden.title());
  if (!edit.empty()) edit.insert(0, "; ");
  of_cases_.report(diag::golden_case_failed, {file, 0, 0}, golden.title(), std::move(what))
      .advise(fmt::format("`capwright test {}` shows it{}", golden.title(), edit));
}

// The plan finds the base itself.
void CiRun::check_base() {
  OpenProject& open = session_.open();
  const std::string& prefix = open.project->workspace().prefix;
  const auto repository = git::open_repository(prefix.empty() ? "." : prefix, of_plan_);
  if (repository != nullptr && request_.merge_base) repository->merge_base(*request_.base, of_plan_);
  else if (repository != nullptr) repository->commit(*request_.base, of_plan_);
  if (of_plan_.failed()) exit_code_ = kBroken;
}

void CiRun::make_plan() {
  const std::string bad_gate = read_gate(request_.gate, gate_);
  if (!bad_gate.empty()) {
    errors_.push_back(bad_gate);
    return finish(Check::Plan, kBroken, "invalid limits");
  }
  if (!request_.base && (lint_ || has(Check::Render)) && has_only_sources())
    return skip(Check::Plan, "sources are compared only with `--base`");
  // Only the tree has encrypted files; two renders are compared before encryption.
  const bool knows_clusters = lint_ && has(Check::Render);
  const bool may_encrypt =
      !knows_clusters ||
      std::any_of(compared_.begin(), compared_.end(), [](const Compared& compared) { return compared.is_encrypted; });
  OpenProject& open = request_.base || !may_encrypt ? session_.open() : encrypting();
  sides_.emplace(comparison_request_, open);
  const auto give_up = [&] {
    if (!sides_->refusal().empty()) errors_.push_back(sides_->refusal());
    of_rest_.add(open.sink.diagnostics(), open.sources, {}, "");
    of_sides_ = &sides_->faults(nullptr);
    finish(Check::Plan, kBroken, "nothing was compared");
  };
  if (!sides_->prepare(diff::Traces::Control)) return give_up();
  planned_.emplace(gate_, sides_->registry(), open.project.get(), open.limits);
  if (const auto delivery = sides_->delivery_of_base()) planned_->was_delivered_by(*delivery);
  planned_->leave([this](const std::string& cluster) { return sides_->left_folder(cluster); });
  const diff::CompareOptions compare{sides_->registry(), {}, false, open.progress};
  const auto visit = [&](std::size_t, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
    planned_->visit(diff, pair);
  };
  compared_fleet_.emplace(diff::compare_fleet(sides_->pairs(), compare, request_.jobs, visit));
  if (!sides_->has_whole_base()) return give_up();
  plan_ = planned_->finish(*compared_fleet_, sides_->before(), sides_->after());
  end_plan(*compared_fleet_);
}

void CiRun::end_plan(const diff::FleetResult& result) {
  sides_->also_report(planned_->warnings());
  const report::Findings& faults = sides_->faults(&result);
  const report::Findings& findings = planned_->findings();
  plan_->faults = faults.all();
  for (const std::string& line : plan_->broken) of_plan_.report(diag::plan_not_allowed, Span(), line);
  const auto counts = [&](Severity severity) {
    return request_.fail_level <= severity && findings.count(severity) != 0;
  };
  const bool is_failed =
      !plan_->broken.empty() || counts(Severity::Error) || counts(Severity::Warning) || counts(Severity::Note);
  int code = is_failed ? kFailed : kPassed;
  const bool has_error = std::any_of(plan_->faults.begin(), plan_->faults.end(), [](const report::Finding& finding) {
    return finding.diagnostic->severity == Severity::Error && finding.revision.empty();
  });
  if (has_error || result.fails_now()) code = kBroken;
  std::string text = report::plan_summary(*plan_);
  if (!plan_->broken.empty()) text += "; not allowed";
  finish(Check::Plan, code, std::move(text));
}

// Several checks may report the same finding, and not all of them know its place.
void CiRun::add_findings(std::span<const report::Finding> more) {
  using Key = std::tuple<std::string_view, std::string_view, std::uint32_t, std::string_view, std::string_view>;
  const auto key = [](const report::Finding& finding) {
    const Diagnostic& diagnostic = *finding.diagnostic;
    const bool has_place = diagnostic.where.known();
    return Key{diagnostic.info->code, has_place ? finding.sources->path(diagnostic.where.file) : std::string_view(),
               diagnostic.where.begin, diagnostic.message, finding.revision};
  };
  const auto without_place = [&](const report::Finding& finding) {
    const auto [code, path, begin, message, revision] = key(finding);
    return Key{code, {}, 0, message, revision};
  };
  std::set<Key> known;
  for (const report::Finding& finding : findings_) known.insert({key(finding), without_place(finding)});
  for (const report::Finding& finding : more) {
    if (!known.contains(key(finding))) findings_.push_back(finding);
  }
}

bool CiRun::is_of_change(const report::Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const bool is_check = diagnostic.info == &diag::stale_file.info ||
                        diagnostic.info == &diag::golden_case_failed.info ||
                        diagnostic.info == &diag::checks_edited.info;
  if (!changes_ || is_check || !diagnostic.where.known()) return true;
  const std::string cluster = finding.clusters.empty() ? "" : finding.clusters.front();
  const auto values = scope_.values_of.find(cluster);
  return changes_->touches(diagnostic, *finding.sources,
                           values == scope_.values_of.end() ? std::string_view() : std::string_view(values->second),
                           scope_.rendered);
}

std::vector<std::string> CiRun::passed_clusters() const {
  std::set<std::string> failed;
  for (const report::Finding& finding : findings_) {
    if (finding.diagnostic->severity != Severity::Note) failed.insert(finding.clusters.begin(), finding.clusters.end());
  }
  std::vector<std::string> passed;
  for (const Compared& compared : compared_) {
    const bool is_checked = !compared.name.empty() && (compared.is_clean || !has(Check::Render));
    if (is_checked && compared.differences.empty() && !failed.contains(compared.name)) passed.push_back(compared.name);
  }
  return passed;
}

void CiRun::report_branches() {
  if (session_.open().project == nullptr) return;
  FollowedBranches branches(session_.open().project->config());
  for (const Compared& compared : compared_) branches.add(compared.name, compared.revision);
  branches.report(of_branches_);
}

// Without the plan, the findings don't say that objects are missing.
void CiRun::find_changes() {
  GitChanges::Fault fault;
  changes_ = GitChanges::since(*request_.base, request_.merge_base, session_.open(), fault);
  if (changes_ || (fault.missing && has(Check::Plan))) return;
  if (fault.missing)
    fault.text =
        fmt::format("this clone lacks Git objects of `{}`; `capwright explain G213` says more", *request_.base);
  notes_.push_back("findings on changed lines don't come first: " + fault.text);
}

// The plan reports a base that can't be read.
void CiRun::find_weaker_checks() {
  if (!request_.base || session_.open().project == nullptr) return;
  std::set<std::string, std::less<>> files = scope_.files;
  if (lint_) {
    for (const std::string_view path : lint_->all_files()) files.emplace(path);
  }
  for (const std::string& path : scope_.rendered) files.erase(path);
  Sink faults;
  read_base(faults, [&](FileSystem& fs, const Workspace& at) {
    WeakerChecks(fs, at, session_.open(), of_checks_).report(filter_.listed(), files);
  });
}

void CiRun::collect() {
  OpenProject& open = session_.open();
  report_branches();
  find_weaker_checks();
  of_weaker_.add(of_checks_.diagnostics(), open.sources, {}, "");
  const bool is_refused = of_weaker_.count(Severity::Error) != 0;  // by the base's `lint.severities`
  const auto of_lint = results_.find(Check::Lint);
  if (is_refused && of_lint != results_.end() && of_lint->second.result == "passed")
    finish(Check::Lint, kFailed, "this change edits what is checked");
  else if (is_refused) exit_code_ = std::max(exit_code_, kFailed);
  if (!lint_) add_project_findings(open, of_project_);
  stale_.add_to(of_rest_);
  of_rest_.add(of_tree_.diagnostics(), open.sources, {}, "");
  for (const Compared& compared : compared_) of_rest_.add(compared.sink.diagnostics(), open.sources, {}, "");
  of_rest_.add(of_cases_.diagnostics(), case_sources_, {}, "");
  of_rest_.add(of_plan_.diagnostics(), open.sources, {}, "");
  of_rest_.add(of_branches_.diagnostics(), open.sources, {}, "");
  if (plan_) add_findings(plan_->findings);
  add_findings(of_weaker_.all());
  if (lint_) add_findings(lint_->findings().all());
  for (const report::Findings* part : {&of_project_, &of_render_, &of_rest_}) add_findings(part->all());
  if (plan_) add_findings(plan_->faults);
  if (of_sides_ != nullptr) add_findings(of_sides_->all());
  const std::size_t of_plan = plan_ ? plan_->findings.size() : 0;  // about the change, wherever they are
  if (request_.compares_with_revision() && open.project != nullptr && findings_.size() > of_plan) find_changes();
  const auto others = std::stable_partition(findings_.begin() + static_cast<std::ptrdiff_t>(of_plan), findings_.end(),
                                            [this](const report::Finding& finding) { return is_of_change(finding); });
  of_change_ = static_cast<std::size_t>(others - findings_.begin());
  for (auto& [check, line] : results_) lines_.push_back(line);
}

}  // namespace capwright::workflow
