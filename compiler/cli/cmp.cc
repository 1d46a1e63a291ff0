// `capwright cmp`: the plugin of Argo CD (docs/argocd.md). The requirements come from argocd-cmp-server of Argo CD 3.5:
// it runs the plugin in the Application's folder of an unpacked repository, at a different path each time. Standard
// output must consist of all manifests. The user sees standard error when the exit code isn't 0.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "pipeline/compile_fleet.h"
#include "report/text.h"
#include "workflow/manifest_stream.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

// The command that Argo CD starts as a config management plugin.
struct CmpOptions {
  enum class Task : std::uint8_t { Generate, PluginYaml };
  CommonOptions common;
  Task task = Task::Generate;
  bool allow_empty = false;
};

constexpr const char* kPluginPath = "schemas/argocd/plugin.yaml";
constexpr std::string_view kParameters = "ARGOCD_APP_PARAMETERS", kSourcePath = "ARGOCD_APP_SOURCE_PATH";
// Limits of one message: Argo CD's page shows about this much.
constexpr std::size_t kMostBytes = 1024, kMostLines = 20;

std::string variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value != nullptr ? value : "";
}

// The Application's parameters.
struct Parameters {
  std::string cluster;  // empty: those whose values are in the Application's folder
  std::string part = "all";
  workflow::ValueOptions values;
};

bool is_blank(const nlohmann::json& value) { return value.empty() || value == nlohmann::json(""); }

// The error for a parameter whose value has the wrong field; otherwise empty.
std::string misplaced(const std::string& name, const nlohmann::json& entry, const char* wanted) {
  for (const char* type : {"string", "array", "map"}) {
    if (std::string_view(type) == wanted || !entry.contains(type) || is_blank(entry[type])) continue;
    return fmt::format("parameter `{}` has `{}`; expected `{}`", name, type, wanted);
  }
  return {};
}

std::string read_parameter(const std::string& name, const nlohmann::json& entry, Parameters& parameters) {
  const bool is_list = name == "values", is_map = name == "set";
  const char* wanted = "string";
  if (is_list) wanted = "array";
  else if (is_map) wanted = "map";
  if (std::string fault = misplaced(name, entry, wanted); !fault.empty()) return fault;
  if (!entry.contains(wanted) || is_blank(entry[wanted])) return {};
  const nlohmann::json& value = entry[wanted];
  bool is_wanted = value.is_string();
  if (is_list) is_wanted = value.is_array();
  else if (is_map) is_wanted = value.is_object();
  const bool has_texts =
      !value.is_structured() ||
      std::all_of(value.begin(), value.end(), [](const nlohmann::json& each) { return each.is_string(); });
  if (!is_wanted || !has_texts) return fmt::format("parameter `{}` must contain only strings", name);
  if (is_list) parameters.values.files = value.get<std::vector<std::string>>();
  for (const auto& [path, text] :
       is_map ? value.get<std::map<std::string, std::string>>() : std::map<std::string, std::string>())
    parameters.values.sets.push_back({path + "=" + text, false});
  if (name == "cluster") parameters.cluster = value.get<std::string>();
  if (name == "part") parameters.part = value.get<std::string>();
  return {};
}

// Parses a JSON array of `{"name": …, "string"|"array"|"map": …}`; Argo CD sends `null` for an Application without
// parameters. Returns an error; otherwise empty.
std::string read_parameters(const std::string& text, Parameters& parameters) {
  if (text.empty()) return {};
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_null()) return {};
  if (!json.is_array()) return fmt::format("`{}` isn't a JSON array", kParameters);
  const std::vector<std::string_view> known{"cluster", "part", "set", "values"};
  for (const nlohmann::json& entry : json) {
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string())
      return fmt::format("`{}` has an entry without `name`", kParameters);
    const std::string name = entry["name"].get<std::string>();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string suggestion = did_you_mean(name, known);
      return fmt::format("unknown parameter `{}`; {}", name,
                         suggestion.empty() ? "known: " + list_names(known) : suggestion);
    }
    if (std::string fault = read_parameter(name, entry, parameters); !fault.empty()) return fault;
  }
  const std::vector<std::string_view> parts{"all", "cluster", "addons"};
  if (std::find(parts.begin(), parts.end(), parameters.part) != parts.end()) return {};
  return fmt::format("parameter `part` takes {}, not `{}`", list_names(parts), parameters.part);
}

// Finds the configuration from the Application's folder up to the repository's root: folders above weren't sent. The
// Application's path limits the search, as far as its names match the folders here; if only a part of the repository
// was sent, that is less than the whole path.
std::string find_config(FileSystem& fs, const std::string& here) {
  std::filesystem::path folder(here), below(variable(kSourcePath));
  below = below.lexically_normal();
  for (std::string prefix;; prefix += "../") {
    FileStat stat;
    if (!fs.stat(prefix + std::string(kConfigName), stat)) return prefix + std::string(kConfigName);
    if (!below.has_filename()) below = below.parent_path();
    if (below.empty() || below.filename() == "." || folder.filename() != below.filename()) return {};
    folder = folder.parent_path();
    below = below.parent_path();
  }
}

bool is_wanted(const RenderedFile& file, std::string_view path_in_cluster, const std::string& part) {
  if (!workflow::is_manifest(file.path)) return false;
  const bool is_data = file.path.ends_with(".yaml") || file.path.ends_with(".yml") || file.path.ends_with(".json");
  const bool is_addon = path_in_cluster.starts_with("addons/");
  return is_data && (part == "all" || (part == "addons") == is_addon);
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
  Generate(const CmpOptions& options, const Parameters& parameters, workflow::OpenProject& open, Console& console)
      : options_(options), parameters_(parameters), open_(open), console_(console) {}

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
    std::string stream;
    for (const ClusterOutcome& outcome : outcomes_) {
      if (!outcome.clean || outcome.cluster == nullptr) return tell(kFindings);
      const FileSet& files = outcome.cluster->files;
      for (const RenderedFile& file : files.files()) {
        if (is_wanted(file, files.path_in_cluster(file), parameters_.part) && has_manifest(file.body.text()))
          stream += workflow::as_stream(file);
      }
    }
    if (stream.empty()) return empty("nothing is rendered");
    console_.print(stream);
    return console_.flush() ? kClean : kUsageError;
  }

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

  int empty(std::string_view why) {
    if (options_.allow_empty) return kClean;
    console_.fail(fmt::format("{}: an Application without manifests would be pruned to nothing", why));
    return kFindings;
  }

  const CmpOptions& options_;
  const Parameters& parameters_;
  workflow::OpenProject& open_;
  Console& console_;
  std::vector<ClusterOutcome> outcomes_;
};

int generate(const CmpOptions& given) {
  CmpOptions options = given;
  options.common.quiet = true;
  Console console(options.common);
  Parameters parameters;
  if (const std::string fault = read_parameters(variable(kParameters), parameters); !fault.empty()) {
    console.fail(fault);
    return kUsageError;
  }
  RealFs fs;
  std::error_code no_directory;
  const std::string here = std::filesystem::current_path(no_directory).string();
  if (!options.common.config && !options.common.isolated) {
    const std::string config = find_config(fs, here);
    if (config.empty()) options.common.isolated = true;
    else options.common.config = config;
  }
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = parameters.values,
                                            .plain = std::nullopt,
                                            .writes = false,
                                            .output = std::nullopt,
                                            .encrypts = true});
  Generate run(options, parameters, *open, console);
  return open->project == nullptr ? run.tell(kUsageError) : run.run();
}

int run_cmp(const CmpOptions& options) {
  if (options.task == CmpOptions::Task::Generate) return generate(options);
  Console console(options.common);
  console.print(built_in_text(kPluginPath));
  return console.flush() ? kClean : kUsageError;
}

class CmpCommand final : public CommandWith<CmpOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.require_subcommand(1);
    CLI::App* generate = app.add_subcommand("generate", "Print the manifests of an Application for Argo CD");
    generate->add_flag("--allow-empty", options_.allow_empty, "Allow a result without manifests");
    add_common(*generate, options_.common);
    CLI::App* plugin = app.add_subcommand("plugin-yaml", "Print the plugin.yaml of the sidecar");
    plugin->callback([this] { options_.task = CmpOptions::Task::PluginYaml; });
  }
  int run() override { return run_cmp(options_); }
};

}  // namespace

const CommandInfo cmp_command{"cmp",
                              "Run as a config management plugin of Argo CD",
                              make_command<CmpCommand>,
                              {{"Print the manifests as Argo CD gets them", "capwright cmp generate"},
                               {"Print the configuration of the sidecar", "capwright cmp plugin-yaml > plugin.yaml"}}};

}  // namespace capwright::cli
