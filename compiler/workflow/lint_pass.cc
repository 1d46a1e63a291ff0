// The session's parts, in the order in which their errors are reported.
#include "workflow/lint_pass.h"

#include <fmt/format.h>
#include <utility>

#include "pipeline/own_addons.h"
#include "pipeline/own_catalogue.h"
#include "source/real_fs.h"
#include "workflow/claims_file.h"
#include "workflow/layer_findings.h"
#include "workflow/lint_targets.h"

namespace capwright::workflow {

LintPass::LintPass(const RepositoryOptions& repository, const LintRequest& request, const lint::Texts& edits)
    : request_(request),
      session_({.repository = repository,
                .values = request.values,
                .plain = request.plain,
                .writes = false,
                .output = std::nullopt,
                .upgrade_set = true,
                .keeps_manifests = true,
                .edited_file = edited_file({request.targets, request.stdin_filename}),
                .edits = &edits}) {}

std::optional<Stop> LintPass::open() { return session_.load_rules(request_); }

bool LintPass::is_long() { return has_long_target(request_, project()); }

std::optional<Stop> LintPass::prepare(const LintTargets& targets, bool is_stream) {
  OpenProject& open = project();
  session_.load_schemas();
  if (open.sink.failed() || (!targets.values.empty() && session_.tree() == nullptr)) return Stop{{}, true};
  linter_.emplace(session_.setup().linter());
  context_ = session_.setup().context(*open.project, targets.all_clusters);
  if (request_.as_of) context_.as_of = *request_.as_of;
  context_.is_stream = is_stream;
  return std::nullopt;
}

std::optional<Stop> LintPass::judge() {
  const bool merges = !request_.merge_claims.empty();
  LintTargets targets =
      find_lint_targets(project(), {request_.targets, request_.stdin_filename, request_.shard, !merges, true});
  if (merges || request_.shard.is_part()) {
    if (auto stop = prepare(targets, false)) return stop;
    head_ = claims_head(request_, project());
  }
  if (!request_.shard.is_part()) report_unused(targets);  // otherwise the run that compares parts does it
  if (auto stop = prepare(targets, false)) return stop;
  has_only_templates_ = !targets.sets.empty() && targets.values.empty();
  run_.emplace(request_, project(), context_, *linter_, targets.values.empty() ? nullptr : session_.tree());
  if (merges) return run_->merge(std::move(targets), head_);
  if (!run_->run(std::move(targets))) return Stop::because("stopped");
  return std::nullopt;
}

// What no cluster uses.
void LintPass::report_unused(const LintTargets& targets) {
  OpenProject& open = project();
  if (targets.all_clusters) report_unused_layers(open, targets.values);
  const Project& repository = *open.project;
  report_unused_files(repository.config().catalogue, open.fs, repository.workspace(), open.sink);
  if (!repository.plain_folder()) report_unused_addon_files(open.fs, repository.workspace(), open.sink);
}

std::optional<Stop> LintPass::write_claims() {
  const OpenProject& open = project();
  if (open.bounds && open.bounds->is_led_outside(open.here, *request_.claims))
    return Stop::because(fmt::format("`{}` points outside the repository", *request_.claims));
  const IoError error = save_file(*request_.claims, run_->claims(head_));
  if (error) return Stop::because(fmt::format("`{}` can't be written: {}", *request_.claims, describe(error)));
  return std::nullopt;
}

std::optional<Stop> LintPass::stream(StreamFindings& findings) {
  const bool asks = request_.fix || request_.unsafe_fixes || request_.diff || request_.baseline ||
                    request_.write_baseline || request_.new_from_rev;
  if (asks)
    return Stop::because(
        "a manifest of this size is linted document by document, without fixes, baseline and `--new-from-rev`");
  if (auto stop = prepare({}, true)) return stop;
  return lint_streams(*linter_, context_, request_, project(), findings);
}

bool LintPass::is_whole() const {
  const bool has_other_values = !request_.values.files.empty() || !request_.values.sets.empty();
  return !has_other_values && request_.merge_claims.empty() && run_->scope().has_everything() && run_->is_complete();
}

}  // namespace capwright::workflow
