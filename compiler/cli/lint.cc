// `capwright lint`: findings about clusters, at the values, templates and manifests that users edit.
#include "lint/engine/lint.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/lint_counts.h"
#include "cli/lint_options.h"
#include "cli/shared_options.h"
#include "cli/stream_report.h"
#include "files/output_tree.h"
#include "lint/engine/selection.h"
#include "lint/model/template_reads.h"
#include "pipeline/schemas.h"
#include "report/palette.h"
#include "report/text.h"
#include "workflow/lint_filter.h"
#include "workflow/lint_fix.h"
#include "workflow/lint_pass.h"

namespace capwright::cli {
namespace {

int lint_streams(workflow::LintPass& pass, const LintOptions& options, Console& console) {
  StreamReport report(options, console);
  if (const auto stop = pass.stream(report)) return show_faults(*stop, pass.project(), console);
  console.say(
      fmt::format("note: more than {} bytes are linted document by document: rules about several objects "
                  "don't run",
                  pass.project().limits.input_bytes));
  return report.finish();
}

// "3 files"; of a run that compares parts, what it compared.
std::string looked_at(const workflow::LintRun& run, const LintOptions& options) {
  const std::size_t parts = options.merge_claims.size();
  if (parts != 0) return fmt::format("{} part{}", parts, parts == 1 ? "" : "s");
  const std::size_t files = run.file_count();
  return fmt::format("{} file{}", files, files == 1 ? "" : "s");
}

int finish(workflow::LintPass& pass, const workflow::LintFilter& filter, const workflow::LintFixes& fixes,
           const LintOptions& options, Console& console) {
  const workflow::LintRun& run = pass.run();
  LintCounts counts(run.findings());
  counts.add_unknown_kinds(run.unknown_kinds());
  if (options.statistics) {
    console.print(counts.statistics(options.common.format));
    console.write_reports(run.findings().all());
  } else {
    console.show_as_result(run.findings());
  }
  const std::string looked = looked_at(run, options);
  if (!console.flush()) return kUsageError;  // so that later messages come last
  for (const std::string& note : run.notes()) console.say("note: " + note);
  const std::string stale = filter.asks_for_scope() && pass.is_whole()
                                ? filter.stale_entries(pass.selection(), run.scope(), pass.project())
                                : std::string();
  if (!stale.empty()) console.say("note: " + stale);
  if (pass.has_only_templates())
    console.say("note: the output of these templates was not checked; name clusters as well, or no target");
  for (const std::string& line : fixes.left_out()) console.say("note: " + line);
  if (const std::string fixed = fixes.summary(); !fixed.empty()) console.say(fixed);
  if (options.shard.is_part() && !options.claims) {
    console.say(
        "note: rules that compare clusters didn't run; add `--claims FILE`, and compare the parts with "
        "`--merge-claims`");
  }
  console.say(counts.summary(looked));
  return counts.exit_code(options);
}

// The program ends with a pass that may hold thousands of clusters. The system frees its memory at once; freeing it
// piece by piece would take as long as linting a few of them.
void keep_to_the_end(std::unique_ptr<workflow::LintPass> pass) {
  static auto* const kept =
      new std::vector<std::unique_ptr<workflow::LintPass>>;  // reachable, so that leak checks ignore it
  kept->push_back(std::move(pass));
}

// The output of --diff. If a cluster can't be rendered, its fixes are unknown, so its errors are reported.
int finish_diff(const workflow::LintRun& run, const workflow::LintFixes& fixes, Console& console) {
  std::vector<report::Finding> errors;
  for (const report::Finding& finding : run.findings().all()) {
    if (!lint::is_removable(*finding.diagnostic)) errors.push_back(finding);
  }
  console.print(report::painted_diff(fixes.diff(), console.color()));
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
int list_files(const workflow::LintRun& run, Console& console) {
  for (const std::string_view path : run.all_files()) console.print(report::printable(path) + "\n");
  return console.finish();
}

int write_baseline(workflow::LintPass& pass, const LintOptions& options, Console& console) {
  workflow::LintRun& run = pass.run();
  const workflow::LintScope scope = run.scope();
  workflow::BaselineWriter writer(options, scope);
  if (const auto stop = writer.open(pass.project())) return show_faults(*stop, pass.project(), console);
  run.collect(writer.keep());
  if (!workflow::BaselineWriter::can_list(run.findings())) {
    console.show_as_result(run.findings());
    console.fail("no baseline is written: files that can't be rendered or read have unknown findings");
    return std::max<int>(exit_code(run.findings()), kFindings);
  }
  std::string said;
  if (const auto stop = writer.write(pass.selection(), pass.project(), said))
    return show_faults(*stop, pass.project(), console);
  console.say(said);
  return kClean;
}

// An error for options that a part of a repository, or a comparison of parts, doesn't have. Otherwise empty.
std::string contradicted_part(const LintOptions& options, bool fixes) {
  const bool merges = !options.merge_claims.empty();
  if (options.claims && !options.shard.is_part()) return "`--claims` needs `--shard`";
  if (!merges && !options.shard.is_part()) return {};
  const std::string_view option = merges ? "--merge-claims" : "--shard";
  if (merges && options.shard.is_part()) return "`--merge-claims` and `--shard` exclude each other";
  if (!options.targets.empty()) return fmt::format("`{}` takes no targets: it is about the whole repository", option);
  if (fixes)
    return fmt::format("`{}` and fixes exclude each other: clusters of several parts share the files to fix", option);
  if (options.write_baseline)
    return fmt::format("`{}` and `--write-baseline` exclude each other: a baseline lists the findings of all parts",
                       option);
  if (options.show_files) return fmt::format("`{}` and `--show-files` exclude each other", option);
  return {};
}

// An error for options that contradict each other. Otherwise empty.
std::string contradiction_in(const LintOptions& options) {
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
  if (std::string fault = contradicted_part(options, fixes); !fault.empty()) return fault;
  const std::string name_of_nothing = needless_name(options.targets, options.stdin_filename);
  return name_of_nothing.empty() ? contradicted_form(options) : name_of_nothing;
}

int run_lint(const LintOptions& options) {
  Console console(options.common);
  if (const std::string fault = contradiction_in(options); !fault.empty()) return console.fail(fault);
  workflow::LintFilter filter;
  workflow::LintFixes fixes(options);
  for (bool is_first = true;; is_first = false) {
    auto pass = std::make_unique<workflow::LintPass>(options.common, options, fixes.edits());
    std::optional<workflow::Stop> stop = pass->open();
    if (!stop && is_first) stop = filter.open(options, pass->project());
    if (!stop && pass->is_long()) return lint_streams(*pass, options, console);
    if (!stop) stop = pass->judge();
    if (stop && !fixes.is_trying()) return show_faults(*stop, pass->project(), console);
    if (stop) {
      fixes.fail();
      continue;
    }
    workflow::LintRun& run = pass->run();
    if (options.show_files) return list_files(run, console);
    if (options.write_baseline) return write_baseline(*pass, options, console);
    fixes.begin(pass->project());
    run.tell_secrets(fixes);
    const workflow::LintScope scope = filter.asks_for_scope() ? run.scope() : workflow::LintScope();
    run.collect([&, keep = filter.keep(scope)](const Diagnostic& diagnostic, const SourceSet& sources,
                                               std::string_view cluster) {
      fixes.note(diagnostic, sources, cluster);
      if (!keep(diagnostic, sources, cluster)) return false;
      fixes.offer(diagnostic, sources);
      return true;
    });
    if (fixes.advance()) continue;
    if (options.diff) return finish_diff(run, fixes, console);
    if (const std::string fault = fixes.write(); !fault.empty()) return console.fail(fault);
    if (options.claims) {
      if (const auto fault = pass->write_claims()) return show_faults(*fault, pass->project(), console);
    }
    const int exit_code = finish(*pass, filter, fixes, options, console);
    keep_to_the_end(std::move(pass));
    return exit_code;
  }
}

class LintCommand final : public CommandWith<LintOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("target", options_.targets,
                   "Clusters, sources, values files, manifests, templates, folders of them, or `-` (default: the whole "
                   "repository)")
        ->type_name("CLUSTER|FILE|DIR|-");
    const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
      app.add_option(name, target, help)
          ->type_name("CODE[,CODE]")
          ->delimiter(',')
          ->expected(1)
          ->take_all()
          ->allow_extra_args(false);
    };
    list("--select", options_.select, "Check only these rules: codes (CAP401), prefixes (CAP4, K) or names");
    list("--ignore", options_.ignore, "Skip these rules; errors of a render can't be skipped");
    add_blame(app, options_.blame);
    add_fail_level(app, options_.fail_level);
    app.add_flag("--exit-zero", options_.exit_zero, "Exit with 0 even if there are findings");
    app.add_flag("--statistics", options_.statistics,
                 "Print the number of findings per rule instead of the findings, as text or JSON");
    app.add_flag("--show-files", options_.show_files, "List the files to check, then exit");
    app.add_option("--stdin-filename", options_.stdin_filename,
                   "Name of the file whose text is read from `-`, such as one that is open in an editor")
        ->type_name("FILE");
    add_as_of(app, options_.as_of);
    app.add_option("--baseline", options_.baseline, "Ignore the findings that this file lists")->type_name("FILE");
    app.add_flag("--write-baseline")
        ->description("Write all findings into the baseline, or into FILE; later runs ignore them")
        ->type_name("[=FILE]")
        ->each([this](const std::string& file) { options_.write_baseline = file == "true" ? "" : file; });
    app.add_option("--new-from-rev", options_.new_from_rev,
                   "Report only findings on lines that were added or changed since this Git revision")
        ->type_name("REV");
    app.add_flag("--merge-base", options_.merge_base, "With `--new-from-rev`: use the merge base with HEAD");
    app.add_flag("--fix", options_.fix, "Apply fixes that have exactly one correct result");
    app.add_flag("--unsafe-fixes", options_.unsafe_fixes, "Also apply fixes that are only likely to be correct");
    app.add_flag("--diff", options_.diff, "Print a diff of the fixes; write nothing; exit with 1 if there are fixes");
    add_shard(app, options_.shard);
    app.add_option("--claims", options_.claims,
                   "With `--shard`: write what the clusters claim into this file, for `--merge-claims`")
        ->type_name("FILE");
    app.add_option("--merge-claims", options_.merge_claims,
                   "Report only problems between clusters, by the claims of all parts that `--shard` checked")
        ->type_name("FILE…");
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to lint in parallel")->type_name("N");
    add_run_sources(app, options_.common);
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common);
  }
  int run() override { return run_lint(options_); }
};

}  // namespace

const CommandInfo lint_command{
    "lint",
    "Report problems in clusters and where to fix them",
    make_command<LintCommand>,
    {{"Check all clusters and templates", "capwright lint"},
     {"Check only new lines, for a pull request", "capwright lint --new-from-rev origin/main --merge-base"},
     {"Apply safe fixes", "capwright lint --fix"},
     {"Check manifests of other origin", "kubectl get clusters -A -o yaml | capwright lint -"}}};

}  // namespace capwright::cli
