// `capwright init`: the files of a new repository that renders and lints at once.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "golden/check_case.h"
#include "report/diff_words.h"
#include "report/printable.h"
#include "source/real_fs.h"
#include "workflow/open_project.h"
#include "workflow/scaffold.h"

namespace capwright::cli {
namespace {

struct InitOptions {
  CommonOptions common;
  workflow::ScaffoldRequest scaffold{.folder = ".", .provider = "openstack", .host = {}};
};

// An error for a name that isn't among `known`. Otherwise empty.
std::string unknown_choice(std::string_view option, const std::string& given,
                           const std::vector<std::string_view>& known) {
  if (std::find(known.begin(), known.end(), given) != known.end()) return {};
  const std::string suggestion = did_you_mean(given, known);
  return fmt::format("`--{} {}` isn't known; {}", option, given,
                     suggestion.empty() ? fmt::format("choose one of {}", fmt::join(known, ", ")) : suggestion);
}

// A repository keeps its files: a second set of clusters beside them would only confuse.
bool is_repository(FileSystem& files, const std::string& folder) {
  FileStat stat;
  return !files.stat(folder + "/capwright.yaml", stat) || !files.stat(folder + "/values", stat);
}

// Stores what the golden case renders to. Returns false after showing errors.
bool store_golden(const std::string& folder, Console& console) {
  workflow::RepositoryOptions repository;
  repository.config = folder + "/capwright.yaml";
  repository.words = {*repository.config};
  const auto open = workflow::open_project({repository, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) {
    show_faults(*open, console);
    return false;
  }
  const std::string config(open->sources.path(open->project->config().file));
  golden::Repository cases{open->fs, open->project->workspace(), config, &open->programs, {}};
  cases.cases = golden::find_cases(open->fs, cases.workspace.io_path(golden::kFolder), open->sink);
  for (const golden::Case& each : cases.cases) {
    const golden::Outcome outcome = golden::check_case(each, cases);
    if (golden::carry_out(outcome.edits, open->fs, each, open->sink)) continue;
    show_faults(*open, console);
    return false;
  }
  return true;
}

int run_init(const InitOptions& options) {
  Console console(options.common);
  RealFs files;
  const std::string& folder = options.scaffold.folder;
  if (is_repository(files, folder)) {
    console.fail(fmt::format(
        "`{}` has `capwright.yaml` or `values` already; nothing was written\nhelp: name an empty folder, such as "
        "`capwright init fleet`",
        report::printable(folder)));
    return kUsageError;
  }
  const workflow::Scaffolded made = workflow::write_scaffold(workflow::scaffold_files(options.scaffold), folder, files);
  for (const std::string& path : made.written) console.print(path + "\n");
  if (!console.flush()) return kUsageError;
  if (made.error) {
    console.fail(
        fmt::format("`{}/{}` can't be written: {}", report::printable(folder), made.failed, describe(made.error)));
    return kUsageError;
  }
  if (!store_golden(folder, console)) return kUsageError;
  for (const std::string& path : made.existing) console.say(fmt::format("note: `{}` exists and was kept", path));
  console.say(
      fmt::format("{} written; replace the example names in `layers/common.yaml`, then run\n{}"
                  "  capwright render         # writes clusters/\n"
                  "  capwright test --update  # writes what the golden case expects\n"
                  "  capwright lint",
                  report::counted(made.written.size(), "file"),
                  folder == "." ? "" : fmt::format("  cd {}\n", report::printable(folder))));
  return kClean;
}

class InitCommand final : public CommandWith<InitOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("folder", options_.scaffold.folder, "Folder of the new repository (default: the working directory)")
        ->type_name("DIR");
    app.add_option("--provider", options_.scaffold.provider, "Cloud of the example clusters (default: openstack)")
        ->type_name("aws|azure|oci|openstack");
    app.add_option("--ci", options_.scaffold.host, "Also write a pipeline for this host")
        ->type_name("gitea|github|gitlab");
    add_common(app, options_.common);
  }
  int run() override { return run_init(options_); }

 protected:
  std::string contradiction() const override {
    const std::string why = unknown_choice("provider", options_.scaffold.provider, workflow::scaffold_providers());
    if (!why.empty() || !options_.scaffold.host) return why;
    return unknown_choice("ci", *options_.scaffold.host, workflow::scaffold_hosts());
  }
};

}  // namespace

const CommandInfo init_command{
    "init",
    "Create a repository with two example clusters",
    make_command<InitCommand>,
    {{"Create a repository in a new folder", "capwright init fleet"},
     {"Create one for AWS, with a GitHub workflow", "capwright init aws-fleet --provider aws --ci github"}}};

}  // namespace capwright::cli
