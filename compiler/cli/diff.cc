// `capwright diff`: the changes that a render would make, or the differences of two folders, object by object.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>

#include "cli/command.h"
#include "cli/comparison_options.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "diff/fields.h"
#include "diff/file_texts.h"
#include "report/diff_report.h"
#include "report/palette.h"
#include "workflow/comparison.h"

namespace capwright::cli {
namespace {

struct DiffOptions : ComparisonOptions {
  std::vector<std::string> ignore_paths, ignore_profiles;
  bool by_cluster = false, text = false, exit_zero = false, detailed_exitcode = false;
};

// The exit code by the selected convention: terraform's differs from the usual one.
int exit_code_of(const DiffOptions& options, bool failed, bool differs) {
  if (failed) return options.detailed_exitcode ? 1 : kUsageError;
  if (options.detailed_exitcode) return differs ? 2 : 0;
  return differs && !options.exit_zero ? kFindings : kClean;
}

// Returns false after reporting an invalid pattern or profile.
bool read_patterns(const DiffOptions& options, std::vector<diff::PathPattern>& patterns, const Console& console) {
  for (const std::string& text : options.ignore_paths) {
    std::string why;
    auto pattern = diff::PathPattern::read(text, why);
    if (!pattern) {
      console.fail(fmt::format("`--ignore-path {}` isn't a path: {}", text, why));
      return false;
    }
    patterns.push_back(std::move(*pattern));
  }
  std::vector<std::string_view> names;
  for (const diff::Profile& profile : diff::profiles()) names.push_back(profile.name);
  for (const std::string& name : options.ignore_profiles) {
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) {
      console.fail(fmt::format("`--ignore-profile` takes {}, not `{}`", list_names(names, names.size()), name));
      return false;
    }
    const auto& more = diff::profiles()[static_cast<std::size_t>(known - names.begin())].patterns;
    patterns.insert(patterns.end(), more.begin(), more.end());
  }
  return true;
}

class DiffRun {
 public:
  DiffRun(const DiffOptions& options, workflow::OpenProject& open, Console& console)
      : options_(options), console_(console), sides_(options, open) {}

  int run() {
    if (!read_patterns(options_, compare_.ignore, console_)) return exit_code_of(options_, true, false);
    if (!sides_.prepare()) {
      print_faults();
      return end(nullptr);
    }
    compare_.registry = sides_.registry();
    compare_.progress = options_.common.progress;
    diff::Visit visit;
    if (options_.text) {
      visit = [this](std::size_t number, const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
        if (diff.pairs.empty() && diff.kind == diff::ClusterDiff::Kind::Changed) return;
        std::string text = diff::diff_of_files(diff, pair.before.get(), pair.after.get(), workflow::readable_secrets);
        const std::lock_guard lock(texts_mutex_);
        texts_[number] += text;
      };
    }
    const diff::FleetResult result = diff::compare_fleet(sides_.pairs(), compare_, options_.jobs, visit);
    if (!sides_.has_whole_base()) {
      print_faults();
      return end(nullptr);
    }
    print({result.clusters, result.compared, result.failed_pairs, result.ignored, sides_.before(), sides_.after(),
           "cluster", sides_.faults(&result).all(), result.not_compared(), result.other_folders});
    return end(&result);
  }

 private:
  // Prints the errors that keep the sides from being opened, in machine-readable formats.
  void print_faults() {
    report::FleetDifferences none;
    none.before = sides_.before();
    none.after = sides_.after();
    none.faults = sides_.faults(nullptr).all();
    if (!none.faults.empty() && options_.common.form != "text") print(none);
  }

  void print(const report::FleetDifferences& differences) {
    if (options_.text) {
      for (const auto& [number, text] : texts_) console_.print(report::painted_diff(text, console_.color()));
    } else {
      write_form(differences, options_.common.form, console_.color(),
                 [this](std::string_view piece) { console_.print(piece); });
    }
    for (const ReportFile& file : options_.common.report_files) {
      console_.save(file.path, report::written_by([&](const report::Write& write) {
                      write_form(differences, file.form, false, write);
                    }));
    }
  }

  void write_form(const report::FleetDifferences& differences, std::string_view form, bool color,
                  const report::Write& write) const {
    if (form == "json") report::write_diff_json(differences, write);
    else if (form == "markdown")
      write(report::diff_as_markdown(differences, options_.budget, workflow::folder_in_git(options_.common)));
    else report::write_diff_text(differences, {options_.by_cluster, options_.common.verbose, color}, write);
  }

  // Shows the errors and returns the exit code. Null: nothing was compared.
  int end(const diff::FleetResult* result) {
    const bool sound = show_faults(sides_, result, console_);
    const bool lost = !console_.flush() || !sound;
    const bool failed = result == nullptr || result->failed_somewhere() || lost;
    return exit_code_of(options_, failed, result != nullptr && !result->clusters.empty());
  }

  const DiffOptions& options_;
  Console& console_;
  workflow::Comparison sides_;
  diff::CompareOptions compare_;
  std::mutex texts_mutex_;
  std::map<std::size_t, std::string> texts_;  // by index of the pair
};

int run_diff(const DiffOptions& options) {
  const CommonOptions common = for_findings(options.common);
  Console console(common);
  const auto open = workflow::open_for(options.common, options);
  return DiffRun(options, *open, console).run();
}

class DiffCommand final : public CommandWith<DiffOptions> {
 public:
  void add_options(CLI::App& app) override {
    add_choice<bool>(app, "--by", options_.by_cluster, {{"shape", false}, {"cluster", true}},
                     "Order of the text (default: changes that clusters share are shown once)");
    app.add_flag("--text", options_.text, "Print a unified diff of the files, with secrets redacted");
    add_list(app, "--ignore-path", options_.ignore_paths,
             "Ignore changes at this path, `[KIND[/NAME]:]PATH`; can be repeated")
        ->type_name("PATH");
    std::vector<std::string> profiles;
    for (const diff::Profile& profile : diff::profiles()) profiles.emplace_back(profile.name);
    CLI::Option* profile =
        add_list(app, "--ignore-profile", options_.ignore_profiles, "Ignore fields that these tools write");
    offer(profile, "NAME[,NAME]", profiles)->delimiter(',');
    add_budget(app, options_.budget);
    app.add_flag("--exit-zero", options_.exit_zero, "Exit with 0 even if there are differences");
    app.add_flag("--detailed-exitcode", options_.detailed_exitcode,
                 "Exit with 0 without differences, 1 after an error, 2 with differences");
    add_sides(app, options_, plain_, {"text", "json", "markdown"});
  }
  int run() override { return run_diff(options_); }

 protected:
  std::string contradiction() const override {
    if (options_.text && options_.common.form != "text")
      return fmt::format("`--text` and `--format {}` exclude each other", options_.common.form);
    return contradiction_of_sides(options_);
  }
};

}  // namespace

const CommandInfo diff_command{"diff",
                               "Show what a render would change, or how two folders differ",
                               make_command<DiffCommand>,
                               {{"Show what a render would change in `clusters/`", "capwright diff"},
                                {"Show what this branch changes", "capwright diff --base origin/main --merge-base"},
                                {"Compare two rendered folders", "capwright diff old/ new/ --text"}}};

}  // namespace capwright::cli
