// `capwright lint`: findings about clusters, at the values, templates and manifests that users edit.
#include "lint/engine/lint.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "admission/providers.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/contradictions.h"
#include "cli/layer_findings.h"
#include "cli/lint_counts.h"
#include "cli/lint_filter.h"
#include "cli/lint_fix.h"
#include "cli/lint_run.h"
#include "cli/lint_selection.h"
#include "cli/lint_stream.h"
#include "cli/lint_targets.h"
#include "cli/open_project.h"
#include "cli/own_rules.h"
#include "files/output_tree.h"
#include "lint/engine/selection.h"
#include "lint/model/template_reads.h"
#include "pipeline/schemas.h"
#include "report/text.h"

namespace capwright::cli {
namespace {

// An error for options that streamed manifests don't support. Otherwise empty.
std::string too_much_of(const LintOptions& options) {
  const bool asks = options.fix || options.unsafe_fixes || options.diff || options.baseline || options.write_baseline ||
                    options.new_from_rev;
  return asks ? "a manifest of this size is linted document by document, without fixes, baseline and `--new-from-rev`"
              : "";
}

// One lint pass over all targets. --fix runs several.
class Look {
 public:
  // With `is_trial`, doesn't report errors that prevent the pass.
  Look(const LintOptions& options, const lint::Texts& edits, bool is_trial)
      : options_(options),
        is_trial_(is_trial),
        open_(open_project({.common = options.common,
                            .values = options.values,
                            .plain = options.plain,
                            .writes = false,
                            .output = std::nullopt,
                            .upgrade_set = true,
                            .keeps_manifests = true,
                            .edited_file = edited_file({options.targets, options.stdin_filename}),
                            .edits = &edits})) {}

  // Loads the selection. Returns the exit code after showing an error, as does judge().
  std::optional<int> open(Console& console) {
    if (open_->project == nullptr) return std::max<int>(faults(console), kUsageError);
    own_rules_ = load_own_rules(*open_);
    if (open_->sink.failed()) return std::max<int>(faults(console), kUsageError);
    selection_ = selection_of(options_, config(), own_rules_);
    const std::vector<std::string> faults = faulty_selectors(selection_, *open_);
    for (const std::string& fault : faults) console.fail(fault);
    return faults.empty() ? std::nullopt : std::optional<int>(kUsageError);
  }

  // Reads, renders in memory, and runs the rules and server checks.
  std::optional<int> judge(Console& console) {
    const bool is_long = has_long_target(options_, *open_);
    if (const std::string fault = is_long ? too_much_of(options_) : ""; !fault.empty())
      return console.fail(fault), kUsageError;
    LintTargets targets =
        is_long ? LintTargets() : find_lint_targets(*open_, {options_.targets, options_.stdin_filename});
    if (targets.all_clusters) report_unused_layers(*open_, targets.values);
    Stage stage{open_->sources, open_->sink, open_->arena, open_->origins, open_->limits};
    schemas_ = load_schemas(open_->fs, open_->project->workspace(), config(), stage);
    tree_.emplace(open_->fs, open_->output_folder(std::nullopt), config().output == "." ? "" : config().output + "/");
    if (open_->sink.failed() || (!targets.values.empty() && !tree_->open(OutputTree::Access::Read, open_->sink)))
      return std::max<int>(faults(console), kFindings);
    linter_.emplace(selection_, lint::Server{schemas_.registry.get(), &providers_}, own_rules_);
    context_ = {open_->limits,
                schemas_.registry.get(),
                options_.as_of.value_or(lint::catalogue_date(open_->project->own_kubernetes_facts())),
                config().lint.externals,
                targets.all_clusters,
                is_long,
                &reads_,
                open_->project->own_kubernetes_facts()};
    if (is_long) return lint_streams(*linter_, context_, options_, *open_, console);
    templates_alone_ = !targets.sets.empty() && targets.values.empty();
    run_.emplace(options_, *open_, context_, *linter_, *tree_);
    run_->run(std::move(targets));
    return std::nullopt;
  }

  OpenProject& project() { return *open_; }
  const lint::Selection& selection() const { return selection_; }
  LintRun& run() { return *run_; }
  // Templates were linted, but no cluster that they render.
  bool templates_alone() const { return templates_alone_; }
  // The pass includes the complete repository, as it is on disk.
  bool is_whole() const {
    const bool has_other_values = !options_.values.files.empty() || !options_.values.sets.empty();
    return !has_other_values && run_->scope().has_everything() && run_->is_complete();
  }

 private:
  const Config& config() const { return open_->project->config(); }
  int faults(Console& console) const { return is_trial_ ? 0 : show_faults(*open_, console); }

  const LintOptions& options_;
  bool is_trial_;
  std::unique_ptr<OpenProject> open_;
  lint::own::Rules own_rules_;
  lint::Selection selection_;
  KnownSchemas schemas_;
  admission::Providers providers_{admission::built_in_rules()};
  lint::KnownReads reads_;
  lint::Context context_;
  std::optional<lint::Linter> linter_;
  std::optional<OutputTree> tree_;
  std::optional<LintRun> run_;
  bool templates_alone_ = false;
};

int finish(Look& look, const LintFilter& filter, const LintFixes& fixes, const LintOptions& options, Console& console) {
  const LintRun& run = look.run();
  LintCounts counts(run.findings());
  counts.add_unknown_kinds(run.unknown_kinds());
  if (options.statistics) {
    console.print(counts.statistics(options.common.format));
    console.write_reports(run.findings().all());
  } else {
    console.show_as_result(run.findings());
  }
  const std::size_t files = run.files().size();
  if (!console.flush()) return kUsageError;  // so that later messages come last
  for (const std::string& note : run.notes()) console.say("note: " + note);
  const std::string stale = filter.asks_for_scope() && look.is_whole()
                                ? filter.stale_entries(look.selection(), run.scope(), look.project())
                                : std::string();
  if (!stale.empty()) console.say("note: " + stale);
  if (look.templates_alone())
    console.say("note: the output of these templates was not checked; name clusters as well, or no target");
  for (const std::string& line : fixes.left_out()) console.say("note: " + line);
  if (const std::string fixed = fixes.summary(); !fixed.empty()) console.say(fixed);
  console.say(counts.summary(fmt::format("{} file{}", files, files == 1 ? "" : "s")));
  return counts.exit_code(options);
}

// The program ends with a pass that may hold thousands of clusters. The system frees its memory at once; freeing it
// piece by piece would take as long as linting a few of them.
void keep_to_the_end(std::unique_ptr<Look> look) {
  static auto* const kept = new std::vector<std::unique_ptr<Look>>;  // reachable, so that leak checks ignore it
  kept->push_back(std::move(look));
}

// The output of --diff. If a cluster can't be rendered, its fixes are unknown, so its errors are reported.
int finish_diff(const LintRun& run, const LintFixes& fixes, Console& console) {
  std::vector<report::Finding> errors;
  for (const report::Finding& finding : run.findings().all()) {
    if (!lint::is_removable(*finding.diagnostic)) errors.push_back(finding);
  }
  console.print(fixes.diff());
  if (!console.flush()) return kUsageError;
  if (!errors.empty()) console.show_beside(errors);
  for (const std::string& line : fixes.left_out()) console.say("note: " + line);
  const std::string fixed = fixes.summary();
  console.say(fixed.empty() ? "nothing to fix" : fixed);
  if (!errors.empty()) console.say(report::summary(errors.size(), 0));
  if (run.findings().has_outside_fault()) return kUsageError;
  return fixes.edits().empty() && errors.empty() ? kClean : kFindings;
}

// An error for a format that the requested output doesn't have. Otherwise empty.
std::string contradicted_form(const LintOptions& options) {
  const CommonOptions& common = options.common;
  const bool for_people = common.format == Format::Text || common.format == Format::Concise;
  if (options.diff && options.statistics) return "`--diff` and `--statistics` exclude each other";
  if (options.diff && (!for_people || !common.report_files.empty()))
    return fmt::format("`--diff` and `--format {}` exclude each other",
                       for_people ? common.report_files.front().form : common.form);
  if (options.statistics && !for_people && common.format != Format::Json)
    return fmt::format("`--statistics` prints `text` or `json`, not `{}`; write the findings with `--format {}=FILE`",
                       common.form, common.form);
  return {};
}

// The output of --show-files.
int list_files(const LintRun& run, Console& console) {
  for (const std::string_view path : run.all_files()) console.print(report::printable(path) + "\n");
  return console.flush() ? kClean : kUsageError;
}

// An error for options that contradict each other. Otherwise empty.
std::string contradiction(const LintOptions& options) {
  const bool fixes = options.fix || options.unsafe_fixes || options.diff;
  const bool reads_input = std::count(options.targets.begin(), options.targets.end(), "-") +
                               std::count(options.values.files.begin(), options.values.files.end(), "-") !=
                           0;
  if (fixes && reads_input) return "fixes can't be applied to `-`";
  if (options.show_files && (fixes || options.write_baseline))
    return "`--show-files` can't be combined with fixes or `--write-baseline`";
  if (fixes && options.write_baseline) return "`--write-baseline` and fixes exclude each other";
  if (options.merge_base && !options.new_from_rev) return "`--merge-base` needs `--new-from-rev`";
  if (options.new_from_rev && options.write_baseline)
    return "`--write-baseline` and `--new-from-rev` exclude each other";
  const std::string name_of_nothing = cli::contradiction(options.targets, options.stdin_filename);
  return name_of_nothing.empty() ? contradicted_form(options) : name_of_nothing;
}

}  // namespace

int run_lint(const LintOptions& options) {
  Console console(options.common);
  if (const std::string fault = contradiction(options); !fault.empty()) return console.fail(fault), kUsageError;
  LintFilter filter;
  LintFixes fixes(options);
  for (bool is_first = true;; is_first = false) {
    auto look = std::make_unique<Look>(options, fixes.edits(), fixes.is_trying());
    std::optional<int> failed = look->open(console);
    if (failed && !fixes.is_trying()) return *failed;
    if (is_first) {
      if (failed = filter.open(options, look->project(), console); failed) return *failed;
    }
    if (!failed) failed = look->judge(console);
    if (failed && !fixes.is_trying()) return *failed;
    if (failed) {
      fixes.fail();
      continue;
    }
    LintRun& run = look->run();
    if (options.show_files) return list_files(run, console);
    if (options.write_baseline) {
      const LintScope scope = run.scope();
      BaselineWriter writer(options, scope);
      if (failed = writer.open(look->project(), console); failed) return *failed;
      run.collect(writer.keep());
      return writer.write(run.findings(), look->selection(), look->project(), console);
    }
    fixes.begin(look->project());
    run.tell_secrets(fixes);
    const LintScope scope = filter.asks_for_scope() ? run.scope() : LintScope();
    run.collect([&, keep = filter.keep(scope)](const Diagnostic& diagnostic, const SourceSet& sources,
                                               std::string_view cluster) {
      fixes.note(diagnostic, sources, cluster);
      if (!keep(diagnostic, sources, cluster)) return false;
      fixes.offer(diagnostic, sources);
      return true;
    });
    if (fixes.advance()) continue;
    if (options.diff) return finish_diff(run, fixes, console);
    if (failed = fixes.write(console); failed) return *failed;
    const int exit_code = finish(*look, filter, fixes, options, console);
    keep_to_the_end(std::move(look));
    return exit_code;
  }
}

}  // namespace capwright::cli
