// `capwright ci`: render --check, lint, test and plan in one run, for pull requests and before a push.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/comparison_options.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "diag/catalog/repository.h"
#include "golden/result_formats.h"
#include "report/ci_report.h"
#include "report/formats.h"
#include "report/palette.h"
#include "report/text.h"
#include "workflow/ci_run.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

using workflow::Check;

constexpr std::array<std::pair<std::string_view, Check>, 4> kChecks{
    {{"render", Check::Render}, {"lint", Check::Lint}, {"test", Check::Test}, {"plan", Check::Plan}}};

struct CiOptions : workflow::CiRequest {
  CommonOptions common;
  std::vector<std::string> only, skipped;  // --step, --skip
  std::optional<std::string> comment, summary, output;
  std::size_t comment_bytes = 65536;  // GitHub's limit of a comment, in characters
};

// GitHub's limit of a step's summary.
constexpr std::size_t kSummaryBytes = 1024 * 1024;

class CiOutput {
 public:
  CiOutput(const CiOptions& options, const workflow::CiRun& run, Console& console)
      : options_(options), run_(run), console_(console) {}

  int show() {
    console_.add_cases(cases());
    show_findings();
    const bool for_people = options_.common.format == Format::Text || options_.common.format == Format::Concise;
    if (for_people) show_details();
    const bool is_written = write(options_.comment, options_.comment_bytes) && write(options_.summary, kSummaryBytes);
    for (const std::string& error : run_.errors()) console_.fail(error);
    for (const std::string& note : run_.notes()) console_.say("note: " + note);
    if (!options_.common.quiet) console_.print_beside(report::checks_as_text(run_.lines()));
    return console_.flush() && is_written ? run_.exit_code() : kUsageError;
  }

 private:
  // An excerpt doesn't show what is stale in a file, so text output has its name, and with `-v` its diff. The plan,
  // which follows, ends with what isn't allowed.
  void show_findings() {
    if (options_.common.format != Format::Text) return console_.show_as_result(run_.findings());
    std::vector<report::Finding> shown;
    std::map<std::string, const Diagnostic*> stale;  // by message
    for (const report::Finding& finding : run_.findings()) {
      const DiagInfo* info = finding.diagnostic->info;
      if (info == &diag::plan_not_allowed.info) continue;
      if (info != &diag::stale_file.info) shown.push_back(finding);
      else stale.emplace(finding.diagnostic->message, &*finding.diagnostic);
    }
    console_.print(report::as_text(shown, {.color = console_.color(), .whole_notes = console_.verbose()}));
    show_stale(stale);
    console_.write_reports(run_.findings());
  }

  // Each file with its state, and then each edit once.
  void show_stale(const std::map<std::string, const Diagnostic*>& stale) {
    std::vector<std::string> edits;
    for (const report::CheckedFile& file : run_.files()) {
      const std::string name = fmt::format("`{}` ", file.path);
      const auto found = stale.lower_bound(name);
      if (found == stale.end() || !found->first.starts_with(name)) continue;
      std::string state = found->first.substr(name.size());
      if (state.starts_with("is ")) state.erase(0, 3);
      console_.print(fmt::format("{}: {}\n{}", file.path, state,
                                 console_.verbose() ? report::painted_diff(file.diff, console_.color()) : ""));
      const std::string edit = found->second->help.value_or("");
      if (std::find(edits.begin(), edits.end(), edit) == edits.end()) edits.push_back(edit);
    }
    for (const std::string& edit : edits) console_.print(fmt::format("help: {}\n", edit));
  }

  // The checks, and the clusters without errors and warnings, so that a test report also counts what passed.
  std::vector<report::RunCase> cases() const {
    std::vector<report::RunCase> cases;
    for (const report::CheckLine& line : run_.lines())
      cases.push_back({"capwright ci", std::string(line.check), line.result, line.text});
    for (const std::string& cluster : run_.passed_clusters()) cases.push_back({"clusters", cluster, "passed", ""});
    return cases;
  }

  // Prints failed cases and the plan in full; other formats have them as findings.
  void show_details() {
    const auto is_failed = [](const golden::Outcome& outcome) { return !outcome.faults.empty(); };
    if (std::any_of(run_.cases().begin(), run_.cases().end(), is_failed))
      console_.print(golden::as_text(run_.cases(), {options_.common.verbose}) + "\n");
    // The findings are above, with those of the other checks.
    const report::PlanTextOptions shown{
        .verbose = options_.common.verbose, .color = console_.color(), .has_findings = false};
    if (run_.plan() != nullptr) console_.print(report::plan_as_text(*run_.plan(), shown) + "\n");
  }

  bool write(const std::optional<std::string>& path, std::size_t budget) {
    if (!path) return true;
    const auto all = run_.findings();
    const std::string folder = workflow::folder_in_git(options_.common);
    const report::CheckReport report{
        run_.lines(), run_.plan(), all.first(run_.of_change()), all.subspan(run_.of_change()), run_.files(), folder};
    return console_.save(*path, report::checks_as_markdown(report, budget));
  }

  const CiOptions& options_;
  const workflow::CiRun& run_;
  Console& console_;
};

int run_ci(const CiOptions& options) {
  Console console(options.common);
  workflow::CiRun run(options.common, options);
  run.run();
  return CiOutput(options, run, console).show();
}

class CiCommand final : public CommandWith<CiOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("--base", options_.base, "Plan the change since this Git revision; findings on its lines come first")
        ->type_name("REV|DIR");
    app.add_flag("--merge-base", options_.merge_base, "With `--base REV`: use the merge base of HEAD and REV");
    add_checks(app, "--step", "Run only these checks: render, lint, test, plan", options_.only);
    add_checks(app, "--skip", "Don't run these checks", options_.skipped);
    app.add_option("--comment", options_.comment, "Write the result as a Markdown comment, the plan first")
        ->type_name("FILE");
    app.add_option("--comment-bytes", options_.comment_bytes, "Limit of the comment (default: 65536)")
        ->type_name("BYTES");
    app.add_option("--summary", options_.summary, "Write the result as Markdown for a job's summary")
        ->type_name("FILE");
    add_gate(app, options_.gate);
    add_fail_level(app, options_.fail_level);
    add_as_of(app, options_.as_of);
    add_run_sources(app, options_.common);
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to check in parallel")->type_name("N");
    add_common(app, options_.common);
  }
  int run() override {
    if (!options_.only.empty()) options_.checks = {};
    for (const auto& [name, check] : kChecks) {
      const auto is_named = [&name = name](const std::vector<std::string>& list) {
        return std::find(list.begin(), list.end(), name) != list.end();
      };
      if (is_named(options_.only)) options_.checks.insert(check);
      if (is_named(options_.skipped)) options_.checks.erase(check);
    }
    return run_ci(options_);
  }

 protected:
  std::string contradiction() const override {
    if (options_.merge_base && !options_.base) return "`--merge-base` needs `--base REVISION`";
    if (options_.merge_base && !options_.compares_with_revision())
      return fmt::format("`--merge-base` needs a revision, but `{}` is a folder", *options_.base);
    if (!options_.only.empty() && !options_.skipped.empty()) return "`--step` and `--skip` exclude each other";
    const std::set<std::string> skipped(options_.skipped.begin(), options_.skipped.end());
    if (skipped.size() == std::size(kChecks)) return "`--skip` leaves no check to run";
    const auto& only = options_.only;
    const bool plans =
        only.empty() ? !skipped.contains("plan") : std::find(only.begin(), only.end(), "plan") != only.end();
    return plans || options_.gate.fail_on.empty() ? "" : "`--fail-on` is a limit for the plan, but `plan` isn't run";
  }

 private:
  static void add_checks(CLI::App& app, const char* name, const char* help, std::vector<std::string>& target) {
    add_list(app, name, target, help)
        ->type_name("CHECK[,CHECK]")
        ->delimiter(',')
        ->check([name](const std::string& word) {
          std::vector<std::string_view> words;
          for (const auto& [known, check] : kChecks) words.push_back(known);
          if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
          throw CLI::ValidationError(fmt::format("`{}` takes {}, not `{}`", name, list_names(words), word));
        });
  }
};

}  // namespace

const CommandInfo ci_command{
    "ci",
    "Check a change: render --check, lint, test and plan",
    make_command<CiCommand>,
    {{"Run all checks of the repository", "capwright ci"},
     {"Check uncommitted changes, with a plan since the last commit", "capwright ci --base HEAD"}}};

}  // namespace capwright::cli
