// Baselines are read and written here, as files of the repository.
#include "workflow/lint_filter.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>

#include "diag/catalog/repository.h"
#include "diag/catalog/tree.h"
#include "git/repository.h"
#include "lint/engine/rules.h"
#include "lint/engine/selection.h"
#include "lint/model/command_output.h"
#include "pipeline/read_source.h"
#include "source/real_fs.h"
#include "workflow/shown_path.h"

namespace capwright::workflow {
namespace {

// Shown; empty when none is asked for.
std::string baseline_of(const LintRequest& request, const OpenProject& open) {
  if (request.baseline) return shown_path(open.project->workspace(), *request.baseline);
  return open.project->config().lint.baseline;
}

// Whether the configuration may name this baseline.
bool is_inside(const std::string& baseline, OpenProject& open) {
  const Workspace& workspace = open.project->workspace();
  return !open.bounds || (!baseline.starts_with('/') && open.bounds->have(workspace.io_path(baseline)));
}

// Whether the baseline may be read; reports an error if not. An option can name any file. The configuration, which a
// proposed change can edit, can only name a file in the repository.
bool may_be_read(const std::string& baseline, const std::optional<std::string>& option, OpenProject& open) {
  if ((option && !option->empty()) || is_inside(baseline, open)) return true;
  open.sink.report(diag::outside_of_repository, open.project->config().lint.baseline_where, baseline)
      .advise("move the baseline into the repository, name it with `--baseline`, or pass `--allow-outside`");
  return false;
}

// Reports a missing file at the place that names it.
std::optional<FileId> read_baseline(const std::string& baseline, const LintRequest& request, OpenProject& open,
                                    Stage& stage) {
  const Span named = request.baseline ? Span() : open.project->config().lint.baseline_where;
  const Workspace& workspace = open.project->workspace();
  FileStat stat;
  if (open.fs.stat(workspace.io_path(baseline), stat).code != ENOENT)
    return read_source(open.fs, workspace, baseline, named, stage);
  const std::string fix = request.baseline
                              ? fmt::format("create it with `capwright lint --write-baseline={}`", *request.baseline)
                              : "create it with `capwright lint --write-baseline`, or remove the key";
  open.sink.report(diag::no_such_file, named, baseline).advise(fix);
  return std::nullopt;
}

// What is known by this code; of one that is gone, the code.
DiagInfo info_of(const std::string& code, const lint::Selection& selection) {
  if (const lint::Rule* rule = lint::find_rule(code)) return lint::info_of(*rule);
  if (const DiagInfo* info = diag::find(code)) return *info;
  const auto& own = selection.own_rules;
  const auto found = std::find_if(own.begin(), own.end(), [&](const DiagInfo* info) { return info->code == code; });
  return found != own.end() ? **found : DiagInfo{code, code, Severity::Warning, {}, {}};
}

bool is_selected(const lint::BaselineKey& key, const lint::Selection& selection) {
  return selection.selects(info_of(key.rule, selection));
}

bool has_other_values(const LintRequest& request) {
  return !request.values.files.empty() || !request.values.sets.empty();
}

// Whether a run sees less than the clusters of a repository as they are, with all rules.
bool is_partial(const LintRequest& request, const LintScope& scope) {
  return !scope.has_everything() || !request.select.empty() || !request.ignore.empty() || has_other_values(request);
}

bool exists(OpenProject& open, const std::string& shown) {
  FileStat stat;
  return !open.fs.stat(open.project->workspace().io_path(shown), stat);
}

// What it finds in a place may hang on clusters and files that were not looked at.
bool looks_around(const lint::Rule* rule) {
  return rule != nullptr && (rule->check_fleet != nullptr || rule->check_shared != nullptr ||
                             rule->check_set != nullptr || rule->check_cluster != nullptr);
}

// Whether a run would have met an entry if that still occurred, as far as places go.
bool saw_place(const lint::BaselineKey& key, const LintScope& scope, OpenProject& open) {
  if (key.cluster.empty()) {
    if (key.file.empty()) return scope.has_everything();
    if (!scope.files.contains(key.file)) return !exists(open, key.file);
    return scope.has_everything() || !looks_around(lint::find_rule(key.rule));
  }
  if (scope.whole_folder) return true;
  if (!scope.all_clusters) return scope.values_of.contains(key.cluster) && !looks_around(lint::find_rule(key.rule));
  if (scope.values_of.contains(key.cluster) || scope.folders.contains(key.cluster)) return true;
  // This run doesn't render the cluster. The cluster is gone unless the output folder still has its manifests.
  const std::string& output = open.project->config().output;
  return !exists(open, (output == "." ? "" : output + "/") + "clusters/" + key.cluster);
}

// The baseline to write, shown.
std::string written_baseline(const LintRequest& request, const OpenProject& open) {
  if (!request.write_baseline->empty()) return shown_path(open.project->workspace(), *request.write_baseline);
  const std::string shown = baseline_of(request, open);
  return shown.empty() ? std::string(lint::kDefaultBaseline) : shown;
}

Stop stop_for(const GitChanges::Fault& fault, const std::string& revision, OpenProject& open) {
  if (!fault.missing && !fault.is_unknown) return Stop::because(fault.text);
  const std::string& prefix = open.project->workspace().prefix;
  const auto repository = git::open_repository(prefix.empty() ? "." : prefix, open.sink);
  if (repository == nullptr) return Stop();
  if (fault.missing) git::report_missing_objects(*repository, revision, *fault.missing, open.sink);
  else if (repository->commit(revision, open.sink)) return Stop::because(fault.text);
  return Stop();
}

}  // namespace

std::optional<Stop> LintFilter::open(const LintRequest& request, OpenProject& open) {
  baseline_path_ = request.write_baseline ? "" : baseline_of(request, open);
  if (!baseline_path_.empty()) {
    Stage stage{open.sources, open.sink, open.arena, open.origins, open.limits};
    if (!may_be_read(baseline_path_, request.baseline, open)) return Stop();
    const auto file = read_baseline(baseline_path_, request, open, stage);
    if (file) listed_ = lint::Baseline::read(*file, stage);
    if (!listed_) return Stop();
  }
  if (request.new_from_rev) {
    GitChanges::Fault fault;
    changes_ = GitChanges::since(*request.new_from_rev, request.merge_base, open, fault);
    if (!changes_) return stop_for(fault, *request.new_from_rev, open);
  }
  return std::nullopt;
}

report::Findings::Keep LintFilter::keep(const LintScope& scope) {
  baseline_ = listed_;
  return [this, &scope](const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
    if (baseline_ && baseline_->takes_back(diagnostic, sources, cluster)) return false;
    return !changes_ || !lint::is_removable(diagnostic) || is_new(diagnostic, sources, cluster, scope);
  };
}

bool LintFilter::is_new(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster,
                        const LintScope& scope) {
  const auto values = scope.values_of.find(cluster);
  // The lines of a command's output can't be compared.
  const bool is_in_output =
      diagnostic.where.known() && sources.path(diagnostic.where.file) == lint::output_path(cluster);
  return !diagnostic.where.known() || is_in_output ||
         changes_->touches(diagnostic, sources,
                           values == scope.values_of.end() ? std::string_view() : std::string_view(values->second),
                           scope.rendered);
}

std::string LintFilter::stale_entries(const lint::Selection& selection, const LintScope& scope,
                                      OpenProject& open) const {
  if (!baseline_) return {};
  std::vector<lint::BaselineKey> unused = baseline_->unused();
  std::erase_if(unused, [&](const lint::BaselineKey& key) {
    return !is_selected(key, selection) || !saw_place(key, scope, open);
  });
  if (unused.empty()) return {};
  return fmt::format("{} {} of `{}` no longer occur{}, the first is {}; run again with `--write-baseline` to remove {}",
                     unused.size(), unused.size() == 1 ? "entry" : "entries", baseline_path_,
                     unused.size() == 1 ? "s" : "", lint::describe(unused.front()), unused.size() == 1 ? "it" : "them");
}

std::optional<Stop> BaselineWriter::open(OpenProject& open) {
  path_ = written_baseline(request_, open);
  const auto& named = request_.write_baseline->empty() ? request_.baseline : request_.write_baseline;
  if (!may_be_read(path_, named, open)) return Stop();
  Sink unasked;  // a complete run replaces an unreadable baseline without an error
  Stage stage{open.sources, is_partial(request_, scope_) ? open.sink : unasked, open.arena, open.origins, open.limits};
  const auto file = read_optional_source(open.fs, open.project->workspace(), path_, Span(), stage);
  if (file) earlier_ = lint::Baseline::read(*file, stage);
  if (open.sink.failed()) return Stop();
  return std::nullopt;
}

void BaselineWriter::keep_unseen(const lint::Selection& selection, OpenProject& open) {
  if (!earlier_) return;
  baseline_.keep(*earlier_, [&](const lint::BaselineKey& key) {
    return has_other_values(request_) || !is_selected(key, selection) || !saw_place(key, scope_, open);
  });
}

report::Findings::Keep BaselineWriter::keep() {
  return [this](const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
    baseline_.add(diagnostic, sources, cluster);
    return true;
  };
}

bool BaselineWriter::can_list(const report::Findings& findings) {
  const auto all = findings.all();
  return std::all_of(all.begin(), all.end(), [](const report::Finding& finding) {
    const DiagInfo* info = finding.diagnostic->info;
    return lint::is_removable(*finding.diagnostic) && info != &diag::source_not_run.info;
  });
}

std::optional<Stop> BaselineWriter::write(const lint::Selection& selection, OpenProject& open, std::string& said) {
  const std::size_t count = baseline_.size();
  keep_unseen(selection, open);
  const std::size_t kept = baseline_.size() - count;
  const std::string file = open.project->workspace().io_path(path_);
  if (open.bounds && open.bounds->is_led_outside(open.here, file))
    return Stop::because(fmt::format("`{}` points outside the repository", path_));
  const IoError error = save_file(file, baseline_.text());
  if (error) return Stop::because(fmt::format("`{}` can't be written: {}", path_, describe(error)));
  said = fmt::format("{} finding{} written to {}", count, count == 1 ? "" : "s", path_);
  if (kept != 0) {
    said += fmt::format("; {} more stay{} in it, because this run didn't check whether {} fixed", kept,
                        kept == 1 ? "s" : "", kept == 1 ? "it is" : "they are");
  }
  if (path_ != open.project->config().lint.baseline) {
    const std::string typed = open.project->workspace().io_path(path_);
    said += fmt::format("; use it with `--baseline {}`", std::filesystem::path(typed).lexically_normal().string());
    if (is_inside(path_, open)) said += fmt::format(", or `lint: {{baseline: {}}}` in {}", path_, kConfigName);
  }
  return std::nullopt;
}

}  // namespace capwright::workflow
