// Baselines are read and written here, as files of the repository.
#include "cli/lint_filter.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/removable.h"
#include "pipeline/read_source.h"
#include "source/real_save.h"

namespace capwright::cli {
namespace {

constexpr std::string_view kDefaultBaseline = "capwright-baseline.yaml";

// Shown; empty when none is asked for.
std::string baseline_of(const LintOptions& options, const OpenProject& open) {
  if (options.baseline) return open.project->workspace().shown_path(*options.baseline);
  return open.project->config().lint.baseline;
}

bool is_selected(const lint::BaselineKey& key, const lint::Selection& selection) {
  return selection.selects(DiagInfo{key.rule, key.rule, Severity::Warning, {}, {}});
}

}  // namespace

std::optional<int> LintFilter::open(const LintOptions& options, OpenProject& open, Console& console) {
  baseline_path_ = options.write_baseline ? "" : baseline_of(options, open);
  if (!baseline_path_.empty()) {
    Stage stage{open.sources, open.sink, open.arena, open.origins, open.limits};
    const auto file = read_source(open.fs, open.project->workspace(), baseline_path_, Span(), stage);
    if (file) listed_ = lint::Baseline::read(*file, stage);
    if (!listed_) return std::max<int>(show_faults(open, console), kUsageError);
  }
  if (options.new_from_rev) {
    std::string fault;
    changes_ = GitChanges::since(*options.new_from_rev, options.merge_base, open, fault);
    if (!changes_) return console.fail(fault), kUsageError;
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
  if (!diagnostic.where.known()) return true;
  const auto values = scope.values_of.find(cluster);
  if (values != scope.values_of.end() && changes_->is_new(values->second)) return true;
  const auto has = [&](Span span) {
    return changes_->has(span, sources, span.known() && scope.rendered.contains(sources.path(span.file)));
  };
  return has(diagnostic.where) ||
         std::any_of(diagnostic.labels.begin(), diagnostic.labels.end(),
                     [&](const Label& l) { return has(l.where); }) ||
         std::any_of(diagnostic.trace.begin(), diagnostic.trace.end(),
                     [&](const TraceFrame& f) { return has(f.where); });
}

std::string LintFilter::stale_entries(const lint::Selection& selection) const {
  if (!baseline_) return {};
  std::vector<lint::BaselineKey> unused = baseline_->unused();
  std::erase_if(unused, [&](const lint::BaselineKey& key) { return !is_selected(key, selection); });
  if (unused.empty()) return {};
  return fmt::format("{} {} of `{}` no longer occur{}, the first is {}; `--write-baseline` writes it anew",
                     unused.size(), unused.size() == 1 ? "entry" : "entries", baseline_path_,
                     unused.size() == 1 ? "s" : "", lint::describe(unused.front()));
}

report::Findings::Keep BaselineWriter::keep() {
  return [this](const Diagnostic& diagnostic, const SourceSet& sources, std::string_view cluster) {
    baseline_.add(diagnostic, sources, cluster);
    return true;
  };
}

int BaselineWriter::write(const report::Findings& findings, const LintOptions& options, OpenProject& open,
                          Console& console) const {
  const auto all = findings.all();
  const bool can_be_listed = std::all_of(
      all.begin(), all.end(), [](const report::Finding& finding) { return lint::is_removable(*finding.diagnostic); });
  if (!can_be_listed) {
    console.show_as_result(findings);
    console.fail("no baseline is written: what can't be rendered has findings that nobody knows yet");
    return std::max<int>(exit_code(findings), kFindings);
  }
  std::string shown = baseline_of(options, open);
  if (!options.write_baseline->empty()) shown = open.project->workspace().shown_path(*options.write_baseline);
  if (shown.empty()) shown = kDefaultBaseline;
  const IoError error = save_file(open.project->workspace().io_path(shown), baseline_.text());
  if (error) return console.fail(fmt::format("`{}` can't be written: {}", shown, describe(error))), kUsageError;
  const std::size_t count = baseline_.size();
  const std::string next =
      shown == open.project->config().lint.baseline
          ? ""
          : fmt::format("; it counts with `--baseline {0}`, or `lint: {{baseline: {0}}}` in {1}", shown, kConfigName);
  console.say(fmt::format("{} finding{} written to {}{}", count, count == 1 ? "" : "s", shown, next));
  return kClean;
}

}  // namespace capwright::cli
