// `capwright cmp`: the plugin of Argo CD (docs/argocd.md). The requirements come from argocd-cmp-server of Argo CD 3.5:
// it runs the plugin in the Application's folder of an unpacked repository, at a different path each time. Standard
// output must consist of all manifests. The user sees standard error when the exit code isn't 0.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/cmp_request.h"
#include "cli/cmp_sidecar.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "files/path_rules.h"
#include "pipeline/compile_fleet.h"
#include "pipeline/layers.h"
#include "report/diff_words.h"
#include "report/printable.h"
#include "report/text.h"
#include "workflow/manifest_stream.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

// The command that Argo CD starts as a config management plugin.
struct CmpOptions {
  enum class Task : std::uint8_t { Generate, Parameters, Discover, Run, Doctor, PluginYaml };
  CommonOptions common;
  Task task = Task::Generate;
  bool all = false;
  bool allow_empty = false;
  bool placeholders = false;
  SidecarPlaces places;
};

using CmpTask = CmpOptions::Task;

constexpr std::string_view kLacksConfig = "note: no capwright.yaml in this folder, or above it in the repository";

// Limits of one message: Argo CD's page shows about this much.
constexpr std::size_t kMostBytes = 1024, kMostLines = 20;

bool is_data(const RenderedFile& file) { return workflow::is_manifest(file.path) && has_data_name(file.path); }

bool is_in_part(std::string_view path_in_cluster, const std::string& part) {
  return part == "all" || (part == "addons") == path_in_cluster.starts_with("addons/");
}

// Whether it contains a document, and not only comments.
bool has_manifest(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#' && line != "---" && line != "...") return true;
    at = end + 1;
  }
  return false;
}

class Generate {
 public:
  Generate(const CmpOptions& options, const PluginParameters& parameters, workflow::OpenProject& open, Console& console)
      : options_(options), parameters_(parameters), open_(open), console_(console) {}

  // There is no capwright.yaml where the plugin looks for one.
  void lacks_config() { lacks_config_ = true; }

  int run() {
    const std::vector<std::string> clusters = choose();
    if (open_.sink.failed()) return tell(kUsageError);
    if (clusters.empty())
      return empty("the Application's folder has no values file; name one with the parameter `cluster`");
    const std::string& configured = open_.project->config().output;
    OutputTree tree(open_.fs, open_.output_folder(std::nullopt), configured == "." ? "" : configured + "/");
    if (!tree.open(OutputTree::Access::Read, open_.sink)) return tell(kUsageError);
    FleetOptions fleet;
    fleet.keep = true;
    fleet.tree = &tree;
    outcomes_ = compile_fleet(clusters, *open_.project, fleet);
    for (const ClusterOutcome& outcome : outcomes_) {
      const std::string fault = outcome.cluster == nullptr ? "" : unserved_form(*outcome.cluster);
      if (fault.empty()) continue;
      console_.fail(fault);
      return kFindings;
    }
    std::string stream;
    bool is_nothing = true;
    for (const ClusterOutcome& outcome : outcomes_) {
      if (!outcome.clean || outcome.cluster == nullptr) return tell(kFindings);
      if (const std::string fault = unfinished(*outcome.cluster); !fault.empty()) {
        console_.fail(fault);
        return kFindings;
      }
      const std::string fault = print(outcome.cluster->files, stream, is_nothing);
      if (fault.empty()) continue;
      console_.fail(fault);
      return kFindings;
    }
    // A cluster may have no add-ons, and its last one can be removed.
    if (is_nothing || (stream.empty() && parameters_.part != "addons")) return empty("nothing is rendered");
    return console_.finish(stream);
  }

  // A line for each file that isn't printed, or only in part.
  const std::vector<std::string>& skipped() const { return skipped_; }

  // The first error, which is usually enough to act on, goes in the first line; the others follow.
  int tell(int code) {
    report::Findings findings([](const Diagnostic& diagnostic, const SourceSet&, std::string_view) {
      return diagnostic.severity == Severity::Error;
    });
    workflow::add_project_findings(open_, findings);
    for (const ClusterOutcome& outcome : outcomes_) {
      if (outcome.cluster != nullptr) findings.add(*outcome.cluster);
    }
    const auto all = findings.all();
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < kMostLines; ++i) {
      std::string line = report::as_concise(all.subspan(i, 1));
      if (line.size() > kMostBytes) line = line.substr(0, kMostBytes - 1) + "\n";
      text += line;
      if (all[i].diagnostic->help) text += fmt::format("  help: {}\n", report::printable(*all[i].diagnostic->help));
    }
    if (all.size() > kMostLines) text += fmt::format("and {} more\n", all.size() - kMostLines);
    const auto is_missing = [](const report::Finding& each) { return each.diagnostic->info->code == "G001"; };
    if (lacks_config_ && std::any_of(all.begin(), all.end(), is_missing)) text += fmt::format("{}\n", kLacksConfig);
    while (text.ends_with('\n')) text.pop_back();
    console_.fail(text.empty() ? "nothing can be rendered" : text);
    return std::max<int>(code, exit_code(findings));
  }

 private:
  // The named cluster; otherwise those whose values files are in the Application's folder or below.
  std::vector<std::string> choose() {
    if (!parameters_.cluster.empty()) return workflow::choose_clusters(open_, {parameters_.cluster});
    const std::string& below = open_.project->workspace().below;
    std::vector<std::string> clusters = workflow::choose_clusters(open_, {});
    std::erase_if(clusters, [&](const std::string& path) { return !path.starts_with(below); });
    return clusters;
  }

  // Adds the objects of the requested part. Returns the error of a file that can't be printed.
  std::string print(const FileSet& files, std::string& stream, bool& is_nothing) {
    for (const RenderedFile& file : files.files()) {
      const std::string path = files.path_in_cluster(file);
      // Without the plugin, the Application reads its folder only.
      if (is_outside(path) || !is_data(file) || !has_manifest(file.body.text())) continue;
      const workflow::Objects objects = workflow::objects_of(file);
      if (!objects.lacks.empty()) {
        return fmt::format(
            "`{}` has an object without `{}`\nhelp: `capwright lint` shows the line of the template to edit", file.path,
            objects.lacks);
      }
      const bool is_printed = is_in_part(path, parameters_.part);
      if (!objects.left_out.empty() && is_printed)
        skipped_.push_back(fmt::format("note: {}`{}` isn't printed: {}", objects.stream.empty() ? "" : "a document of ",
                                       file.path, objects.left_out));
      if (objects.stream.empty()) continue;
      is_nothing = false;
      if (is_printed) stream += objects.stream;
    }
    return {};
  }

  // Why this plugin can't complete credentials of the form; empty: it can. Also of a cluster with errors, which may
  // follow from the form, such as a missing `sops` in the sidecar.
  std::string unserved_form(const CompiledCluster& cluster) const {
    const Value& values = cluster.values.is(Kind::Map) ? cluster.values : cluster.unchecked;
    const bool is_plain = cluster.set != nullptr && cluster.set->plain;
    const std::string_view form = secret_form_of(values, cluster.origins, is_plain).name;
    if (form == "sops")
      return fmt::format(
          "`secrets.form` is `sops` in {}, and the plugin doesn't decrypt what it renders\n"
          "help: commit the rendered tree, and print the ApplicationSet without `--plugin`; or use the form `external`",
          report::printable(cluster.name));
    if (form != "avp" || options_.placeholders) return {};
    return fmt::format(
        "`secrets.form: avp` of `{}` needs another plugin, and an Application has one\n"
        "help: use the plugin that `capwright argocd plugin --form avp` prints, or the form `external`",
        report::printable(cluster.name));
  }

  // Why the credentials can't be applied as they are printed; empty: they can.
  std::string unfinished(const CompiledCluster& cluster) const {
    const std::vector<Diagnostic>& found = cluster.sink.diagnostics();
    const auto is_placeholder = [](const Diagnostic& each) { return each.info == &diag::not_sealed.info; };
    if (std::none_of(found.begin(), found.end(), is_placeholder)) return {};
    return fmt::format(
        "a SealedSecret of `{}` has a placeholder: the plugin seals nothing\n"
        "help: commit the rendered file with the ciphertexts, and `.capwright-index` beside it",
        report::printable(cluster.name));
  }

  int empty(std::string_view why) {
    if (options_.allow_empty) return kClean;
    console_.fail(fmt::format("{}: an Application without manifests would be pruned to nothing", why));
    return kFindings;
  }

  const CmpOptions& options_;
  const PluginParameters& parameters_;
  workflow::OpenProject& open_;
  Console& console_;
  std::vector<ClusterOutcome> outcomes_;
  std::vector<std::string> skipped_;
  bool lacks_config_ = false;
};

// Uses the capwright.yaml that belongs to the Application's folder.
void find_config(CommonOptions& common) {
  RealFs fs;
  std::error_code no_directory;
  const std::string here = std::filesystem::current_path(no_directory).string();
  if (common.config || common.isolated) return;
  const std::string config = find_plugin_config(fs, here);
  if (config.empty()) common.isolated = true;
  else common.config = config;
}

int generate(const CmpOptions& given) {
  CmpOptions options = given;
  options.common.quiet = true;
  Console console(options.common);
  PluginParameters parameters;
  const std::string text = plugin_variable(kPluginParameters);
  if (const std::string fault = read_plugin_parameters(text, parameters); !fault.empty()) return console.fail(fault);
  if (parameters.cluster.empty() && !options.all)
    return console.fail(
        "the parameter `cluster` is missing\n"
        "help: name a cluster, such as `parameters: [{name: cluster, string: prod-a}]` in `spec.source.plugin` of the "
        "Application; `--all` after `generate` in plugin.yaml renders all clusters of the Application's folder");
  find_config(options.common);
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = parameters.values,
                                            .plain = std::nullopt,
                                            .writes = false,
                                            .output = std::nullopt,
                                            .encrypts = true,
                                            .keeps_manifests = true});
  Generate run(options, parameters, *open, console);
  if (options.common.isolated && !given.common.isolated) run.lacks_config();
  const int code = open->project == nullptr ? run.tell(kUsageError) : run.run();
  for (const std::string& line : run.skipped()) {
    if (!given.common.quiet) fmt::print(stderr, "{}\n", report::printable(line));
  }
  return code;
}

// The form in Argo CD must appear even if the repository has errors; then it doesn't list the clusters.
int announce_parameters(CommonOptions common, Console& console) {
  constexpr std::size_t kMostNames = 20;
  nlohmann::ordered_json parameters = nlohmann::ordered_json::parse(built_in_text("schemas/argocd/parameters.json"));
  find_config(common);
  const auto open = workflow::open_project(
      {.repository = common, .values = {}, .plain = std::nullopt, .writes = false, .output = std::nullopt});
  std::vector<std::string> paths;
  if (open->project != nullptr) paths = workflow::choose_clusters(*open, {});
  std::vector<std::string_view> names;
  for (const std::string& path : paths) names.push_back(cluster_stem(path));
  std::string tooltip = parameters[0]["tooltip"].get<std::string>();
  if (!names.empty()) tooltip += " Clusters: " + list_names(names, kMostNames) + ".";
  parameters[0]["tooltip"] = report::printable(tooltip);
  return console.finish(parameters.dump(2) + "\n");
}

// For `discover.find.command`: Argo CD uses the plugin if standard output has a text. A failing command is an error of
// the Application.
int discover(Console& console) {
  RealFs fs;
  std::error_code no_directory;
  const std::string found = find_plugin_config(fs, std::filesystem::current_path(no_directory).string());
  if (found.empty()) console.say(std::string(kLacksConfig));
  return console.finish(found.empty() ? "" : found + "\n");
}

int diagnose(const CmpOptions& options, Console& console) {
  std::string text;
  std::size_t problems = 0;
  for (const SidecarCheck& check : check_sidecar(options.places, options.common)) {
    const bool is_problem = check.state == SidecarCheck::State::Problem;
    const bool is_skipped = check.state == SidecarCheck::State::Skipped;
    std::string_view state = is_problem ? "problem" : "ok";
    if (is_skipped) state = "skipped";
    text += fmt::format("{:<9}{}: {}\n", state, check.topic, check.text);
    if (is_problem) text += fmt::format("         help: {}\n", check.fix);
    problems += is_problem ? 1 : 0;
  }
  text += report::counted(problems, "problem") + "\n";
  const int printed = console.finish(text);
  return printed == kClean && problems != 0 ? kFindings : printed;
}

int run_cmp(const CmpOptions& options) {
  if (options.task == CmpTask::Generate) return generate(options);
  Console console(options.common);
  if (options.task == CmpTask::Parameters) return announce_parameters(options.common, console);
  if (options.task == CmpTask::Discover) return discover(console);
  if (options.task == CmpTask::Run) return console.fail(run_sidecar(options.places));
  if (options.task == CmpTask::Doctor) return diagnose(options, console);
  return console.finish(built_in_text("schemas/argocd/plugin.yaml"));
}

class CmpCommand final : public CommandWith<CmpOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.require_subcommand(1);
    CLI::App* generate = task(app, "generate", CmpTask::Generate, "Print the manifests of an Application for Argo CD");
    generate->add_flag("--all", options_.all,
                       "Without the parameter `cluster`, render all clusters of the Application's folder");
    generate->add_flag("--allow-empty", options_.allow_empty, "Allow a result without manifests");
    generate->add_flag("--placeholders", options_.placeholders,
                       "Allow the form `avp`, for a plugin that replaces its placeholders");
    add_common(*generate, options_.common);
    CLI::App* parameters =
        task(app, "parameters", CmpTask::Parameters, "Print the parameters of an Application, for Argo CD's UI");
    add_common_but_format(*parameters, options_.common);
    task(app, "discover", CmpTask::Discover, "Print the capwright.yaml of an Application's folder, if there is one");
    CLI::App* run = task(app, "run", CmpTask::Run, "Start Argo CD's plugin server in the sidecar");
    add_places(*run);
    CLI::App* doctor = task(app, "doctor", CmpTask::Doctor, "Check the sidecar");
    add_places(*doctor);
    add_common_but_format(*doctor, options_.common);
    task(app, "plugin-yaml", CmpTask::PluginYaml, "Print the plugin.yaml of the sidecar, as `capwright argocd plugin`");
  }
  int run() override { return run_cmp(options_); }

 private:
  CLI::App* task(CLI::App& app, const char* name, CmpTask which, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->callback([this, which] { options_.task = which; });
    return command;
  }

  void add_places(CLI::App& command) {
    SidecarPlaces& places = options_.places;
    command.add_option("--server", places.server, "Argo CD's plugin server (default: " + places.server + ")")
        ->type_name("FILE");
    command
        .add_option("--config-dir-path", places.config_folder,
                    "Folder of your own plugin.yaml, if there is one (default: " + places.config_folder + ")")
        ->type_name("DIR");
  }
};

}  // namespace

const CommandInfo cmp_command{
    "cmp",
    "Run as a config management plugin of Argo CD",
    make_command<CmpCommand>,
    {{"Print the manifests of all clusters as Argo CD gets them", "capwright cmp generate --all"},
     {"Print the form of Argo CD's UI", "capwright cmp parameters"},
     {"Test whether a folder belongs to the plugin", "capwright cmp discover"},
     {"Start the plugin in its sidecar", "capwright cmp run"},
     {"Find out why the sidecar doesn't work", "capwright cmp doctor"},
     {"Print the configuration of the sidecar", "capwright cmp plugin-yaml > plugin.yaml"}}};

}  // namespace capwright::cli
