// `capwright test`: compares golden cases with the current render.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "golden/result_formats.h"
#include "pipeline/parallel.h"
#include "text/kubectl.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

// Golden cases of the repository.
struct TestOptions {
  CommonOptions common;            // its format is that of the cases
  std::vector<std::string> cases;  // `SET/CASE`, `CASE`, `SET`; empty: all
  bool update = false, force = false;
  unsigned jobs = 0;  // 0: one per processor
};

using golden::Case;
using golden::Outcome;

bool is_ci() {
  const char* value = std::getenv("CI");
  return value != nullptr && *value != '\0' && std::string_view(value) != "false";
}

// `capo`, `capo/minimal`, `golden/capo/minimal/`, as a shell completes it.
bool is_meant(std::string_view target, const Case& golden) {
  while (target.ends_with('/')) target.remove_suffix(1);
  if (target == golden.set || target == golden.title() || target == golden.name) return true;
  return target.ends_with("/" + golden.title()) ||
         target.ends_with("/" + std::string(golden::kFolder) + "/" + golden.set) ||
         target == std::string(golden::kFolder) + "/" + golden.set;
}

class TestRun {
 public:
  TestRun(const TestOptions& options, workflow::OpenProject& open, Console& console)
      : options_(options),
        open_(open),
        console_(console),
        repository_{open.fs, open.project->workspace(), {}, &open.programs, {}} {
    const Config& config = open.project->config();
    if (config.file != FileId::None) repository_.config = open.sources.path(config.file);
  }

  int run() {
    const std::string folder = repository_.workspace.io_path(golden::kFolder);
    FileStat stat;
    const bool exists = !open_.fs.stat(folder, stat) && stat.type == FileType::Directory;
    if (exists) repository_.cases = golden::find_cases(open_.fs, folder, open_.sink);
    if (open_.sink.failed()) return std::max<int>(show_faults(open_, console_), kUsageError);
    if (repository_.cases.empty())
      return fail(
          fmt::format("no case in `{}`\nhelp: create `{}/SET/CASE/values.yaml`, then run `capwright test --update`",
                      folder, folder));
    for (const std::string& target : options_.cases) {
      if (const int code = choose(target); code != kClean) return code;
    }
    if (options_.cases.empty()) {
      for (Case& golden : repository_.cases) chosen_.push_back(&golden);
    }
    check();
    if (options_.update && !update()) return std::max<int>(show_faults(open_, console_), kUsageError);
    report();
    return end();
  }

 private:
  int fail(const std::string& message) const {
    console_.fail(message);
    return kUsageError;
  }

  int choose(const std::string& target) {
    const std::size_t before = chosen_.size();
    for (Case& golden : repository_.cases) {
      const bool is_new = std::find(chosen_.begin(), chosen_.end(), &golden) == chosen_.end();
      if (is_meant(target, golden) && is_new) chosen_.push_back(&golden);
    }
    if (chosen_.size() != before) return kClean;
    std::vector<std::string> titles;
    for (const Case& golden : repository_.cases) titles.push_back(golden.title());
    const std::string suggestion = did_you_mean(target, std::vector<std::string_view>(titles.begin(), titles.end()));
    return fail(fmt::format("unknown case `{}`{}{}", target, suggestion.empty() ? "" : "; ", suggestion));
  }

  void check() {
    std::sort(chosen_.begin(), chosen_.end());  // the order in which they were found
    outcomes_.resize(chosen_.size());
    parallel_for(chosen_.size(), options_.jobs, {open_.progress, "Testing", "cases"},
                 [&](std::size_t i) { outcomes_[i] = golden::check_case(*chosen_[i], repository_); });
  }

  void report() {
    if (options_.common.form == "text") {
      if (!options_.common.quiet || has_failures()) console_.print_beside(in_form("text"));
    } else {
      console_.print(in_form(options_.common.form));
    }
    for (const ReportFile& file : options_.common.report_files) console_.save(file.path, in_form(file.form));
  }

  std::string in_form(std::string_view form) const {
    if (form == "json") return golden::as_json(outcomes_);
    if (form == "junit") return golden::as_junit(outcomes_);
    return golden::as_text(outcomes_, {options_.common.verbose});
  }

  // Lists the changes and stores the render. Failures that it can't fix, such as errors and unmet expectations, still
  // count.
  bool update() {
    if (!options_.common.quiet) console_.print_beside(golden::as_update_text(outcomes_, {options_.common.verbose}));
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      Outcome& outcome = outcomes_[i];
      if (outcome.edits.empty()) continue;
      if (!golden::carry_out(outcome.edits, open_.fs, *chosen_[i], open_.sink)) return false;
      chosen_[i]->has_tree = true;
      outcome = golden::check_case(*chosen_[i], repository_);
    }
    return true;
  }

  bool has_failures() const {
    return std::any_of(outcomes_.begin(), outcomes_.end(), [](const Outcome& each) { return !each.faults.empty(); });
  }

  // An update doesn't correct errors, which have their own help.
  void say_how_to_accept() const {
    std::vector<std::string> words = options_.cases;
    std::size_t acceptable = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const Outcome& outcome = outcomes_[i];
      if (outcome.faults.empty() || !outcome.faults.front().help.empty() || outcome.edits.empty()) continue;
      if (++acceptable == 1 && words.empty()) words = {chosen_[i]->title()};
      else if (acceptable == 2 && options_.cases.empty()) words.clear();
    }
    if (acceptable == 0) return;
    std::string command = "capwright test --update";
    for (const std::string& word : words) command += " " + shell_word(word);
    console_.say(fmt::format("if that is intended, accept the current render with `{}`", command));
  }

  int end() {
    if (!console_.flush()) return kUsageError;
    console_.say(golden::summary(outcomes_));
    say_how_to_accept();
    return has_failures() ? kFindings : kClean;
  }

  const TestOptions& options_;
  workflow::OpenProject& open_;
  Console& console_;
  golden::Repository repository_;
  std::vector<Case*> chosen_;
  std::vector<Outcome> outcomes_;
};

int run_test(const TestOptions& options) {
  Console console(options.common);
  if (options.update && !options.force && is_ci()) {
    console.fail(
        "`--update` is refused if `CI` is set, because the result isn't reviewed; use `--force` to update anyway");
    return kUsageError;
  }
  const auto open = workflow::open_project({options.common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  return TestRun(options, *open, console).run();
}

class TestCommand final : public CommandWith<TestOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("case,--case", options_.cases, "Cases or sets of cases, such as capo/minimal (default: all)")
        ->type_name("SET/CASE");
    app.add_flag("--update", options_.update, "Update the expected files and print what changed");
    app.add_flag("--force", options_.force, "Update even if CI is set");
    app.add_option("-j,--jobs", options_.jobs, "Number of cases to render in parallel")->type_name("N");
    add_common(app, options_.common, {"text", "json", "junit"});
  }
  int run() override { return run_test(options_); }

 protected:
  std::string contradiction() const override {
    return options_.force && !options_.update ? "`--force` needs `--update`" : "";
  }
};

}  // namespace

const CommandInfo test_command{"test",
                               "Compare golden cases with the current render",
                               make_command<TestCommand>,
                               {{"Compare all golden cases", "capwright test"},
                                {"Accept the current render of one case", "capwright test capo/minimal --update"}}};

}  // namespace capwright::cli
