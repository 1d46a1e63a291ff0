// The session's parts, in the order in which their errors are reported.
#include "workflow/lint_pass.h"

#include <utility>

#include "pipeline/own_addons.h"
#include "pipeline/own_catalogue.h"
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
  LintTargets targets = find_lint_targets(project(), {request_.targets, request_.stdin_filename});
  if (targets.all_clusters) report_unused_layers(project(), targets.values);
  const Project& repository = *project().project;
  report_unused_files(repository.config().catalogue, project().fs, repository.workspace(), project().sink);
  if (!repository.plain_folder()) report_unused_addon_files(project().fs, repository.workspace(), project().sink);
  if (auto stop = prepare(targets, false)) return stop;
  has_only_templates_ = !targets.sets.empty() && targets.values.empty();
  run_.emplace(request_, project(), context_, *linter_, targets.values.empty() ? nullptr : session_.tree());
  if (!run_->run(std::move(targets))) return Stop::because("stopped");
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
  return !has_other_values && run_->scope().has_everything() && run_->is_complete();
}

}  // namespace capwright::workflow
