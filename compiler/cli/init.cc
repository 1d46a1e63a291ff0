// `capwright init`: the files of a new repository that renders and lints at once.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "golden/check_case.h"
#include "pipeline/repository_bounds.h"
#include "report/diff_words.h"
#include "report/printable.h"
#include "source/real_fs.h"
#include "workflow/open_project.h"
#include "workflow/scaffold.h"
#include "workflow/scaffold_set.h"

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
  const std::string folder = option == "provider" ? ", or a folder with a template set, such as `./my-cloud`" : "";
  return fmt::format(
      "`--{} {}` isn't known; {}", option, given,
      suggestion.empty() ? fmt::format("choose one of {}{}", fmt::join(known, ", "), folder) : suggestion);
}

// A path, as a shell completes it, and no name of a cloud.
bool names_folder(std::string_view provider) { return provider.find('/') != std::string_view::npos; }

// A repository keeps its files: a second set of clusters beside them would only confuse.
bool is_repository(FileSystem& files, const std::string& folder) {
  FileStat stat;
  return !files.stat(folder + "/capwright.yaml", stat) || !files.stat(folder + "/values", stat);
}

// pre-commit and hosts of repositories read their files at the top only.
void say_where_hooks_belong(const std::string& below, bool has_pipeline, Console& console) {
  const std::string path = report::printable(below.substr(0, below.size() - 1));
  console.say(
      fmt::format("note: `{}` is below the top of the Git repository, where pre-commit reads its file: move "
                  "`.pre-commit-config.yaml` there, start its `files:` with `^{}/`, and add `--config "
                  "{}/capwright.yaml` to each `entry`{}",
                  path, path, path, has_pipeline ? "; move the pipeline as well, and add the option there" : ""));
}

// Stores what the golden case renders to, and adds the number of its files. Returns false after showing errors.
bool store_golden(workflow::OpenProject& open, std::size_t& count, Console& console) {
  const std::string config(open.sources.path(open.project->config().file));
  golden::Repository cases{open.fs, open.project->workspace(), config, &open.programs, {}};
  cases.cases = golden::find_cases(open.fs, cases.workspace.io_path(golden::kFolder), open.sink);
  for (const golden::Case& each : cases.cases) {
    const golden::Outcome outcome = golden::check_case(each, cases);
    if (outcome.edits.empty()) console.say("note: the example clusters don't render yet; `capwright render` says why");
    count += outcome.edits.size();
    if (golden::carry_out(outcome.edits, open.fs, each, open.sink)) continue;
    show_faults(open, console);
    return false;
  }
  return true;
}

std::unique_ptr<workflow::OpenProject> open_new(const std::string& folder) {
  workflow::RepositoryOptions repository;
  repository.config = folder + "/capwright.yaml";
  repository.words = {*repository.config};
  return workflow::open_project({repository, {}, std::nullopt, false, std::nullopt});
}

// Adds those that were written to `all`. Returns false after an error.
bool write(std::span<const workflow::ScaffoldFile> files, const std::string& folder, workflow::Scaffolded& all,
           Console& console) {
  RealFs real;
  const workflow::Scaffolded made = workflow::write_scaffold(files, folder, real);
  all.written.insert(all.written.end(), made.written.begin(), made.written.end());
  all.existing.insert(all.existing.end(), made.existing.begin(), made.existing.end());
  if (!made.error) return true;
  console.fail(
      fmt::format("`{}/{}` can't be written: {}", report::printable(folder), made.failed, describe(made.error)));
  return false;
}

// `count`: the files that are listed; `golden`: those that the golden case expects.
void say_next_steps(const InitOptions& options, std::size_t count, std::size_t golden, Console& console) {
  const std::string& folder = options.scaffold.folder;
  std::string argocd;
  if (options.scaffold.argocd) {
    argocd =
        "\nIn Argo CD, once:\n"
        "  kubectl -n argocd patch configmap argocd-cm --patch-file argocd-health.yaml\n"
        "  kubectl apply -f argocd  # or let your root Application read the folder";
  }
  console.say(
      fmt::format("{} written{}; replace the example names in `layers/common.yaml`{}, then run\n{}"
                  "  capwright render         # writes clusters/\n"
                  "  capwright test --update  # after the names: updates what the golden case expects\n"
                  "  capwright lint\n"
                  "  pre-commit install       # runs the hooks before each commit, in a Git repository{}",
                  report::counted(count, "file"), golden == 0 ? "" : fmt::format(", and {} in `golden/`", golden),
                  options.scaffold.argocd ? " and in `argocd`" : "",
                  folder == "." ? "" : fmt::format("  cd {}\n", report::printable(folder)), argocd));
}

// Writes all files but the golden tree. Null after showing errors.
std::unique_ptr<workflow::OpenProject> write_repository(const workflow::ScaffoldRequest& request,
                                                        workflow::Scaffolded& made, Console& console) {
  const auto write_examples = [&](std::vector<workflow::ScaffoldFile> files) {
    workflow::fit_to_git(request, files);
    return write(files, request.folder, made, console);
  };
  if (!write_examples(workflow::scaffold_files(request))) return nullptr;
  auto open = open_new(request.folder);
  const TemplateSet* set = nullptr;
  if (open->project != nullptr) set = open->project->template_set(workflow::rendering_set(request));
  if (set == nullptr) {
    show_faults(*open, console);
    return nullptr;
  }
  if (!workflow::has_examples(request)) {
    if (!write_examples(workflow::example_values(*set))) return nullptr;
    open = open_new(request.folder);
  }
  return write(workflow::derived_files(request, *open), request.folder, made, console) ? std::move(open) : nullptr;
}

int run_init(InitOptions options) {
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
  if (names_folder(options.scaffold.provider)) {
    std::string problem;
    options.scaffold.own = workflow::read_set(options.scaffold.provider, problem);
    if (!options.scaffold.own) {
      console.fail(problem);
      return kUsageError;
    }
  }
  workflow::Scaffolded made;
  const auto open = write_repository(options.scaffold, made, console);
  if (open == nullptr) return kUsageError;
  std::sort(made.written.begin(), made.written.end());
  for (const std::string& path : made.written) console.print(report::printable(path) + "\n");
  std::size_t golden = 0;
  if (!console.flush() || !store_golden(*open, golden, console)) return kUsageError;
  for (const std::string& path : made.existing) console.say(fmt::format("note: `{}` exists and was kept", path));
  if (const std::string below = folder_in_git(files, folder); !below.empty())
    say_where_hooks_belong(below, options.scaffold.host.has_value(), console);
  say_next_steps(options, made.written.size(), golden, console);
  return kClean;
}

class InitCommand final : public CommandWith<InitOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("folder", options_.scaffold.folder, "Folder of the new repository (default: the working directory)")
        ->type_name("DIR");
    app.add_option(
           "--provider", options_.scaffold.provider,
           "Cloud of the example clusters, or a folder with a template set, such as `./docker` (default: openstack)")
        ->type_name("aws|azure|oci|openstack|DIR");
    app.add_option("--ci", options_.scaffold.host, "Also write a pipeline for this host")
        ->type_name("gitea|github|gitlab");
    app.add_flag("--argocd", options_.scaffold.argocd,
                 "Also write the ApplicationSet, the project and the health checks for Argo CD");
    app.add_flag("--vscode", options_.scaffold.vscode, "Also write settings of VS Code with schemas of values files");
    add_common(app, options_.common);
  }
  int run() override { return run_init(options_); }

 protected:
  std::string contradiction() const override {
    const std::string& provider = options_.scaffold.provider;
    std::string why;
    if (!names_folder(provider)) why = unknown_choice("provider", provider, workflow::scaffold_providers());
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
     {"Create one for AWS, with a GitHub workflow", "capwright init aws-fleet --provider aws --ci github"},
     {"Create one with the files for Argo CD and VS Code", "capwright init argo-fleet --argocd --vscode"}}};

}  // namespace capwright::cli
