// `capwright leftovers`: objects in the management cluster that no rendered file contains, and how to delete them.
#include "leftovers/leftovers.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diff/folders.h"
#include "files/index.h"
#include "lint/facts/plugin_clusters.h"
#include "pipeline/fleet_names.h"
#include "pipeline/repository_bounds.h"
#include "report/diff_words.h"
#include "text/kubectl.h"
#include "workflow/git_history.h"
#include "workflow/open_project.h"
#include "workflow/standard_input.h"

namespace capwright::cli {
namespace {

// Compares the objects of the API server with the rendered tree.
struct LeftoversOptions {
  CommonOptions common;            // its format is the list's
  std::vector<std::string> files;  // from `kubectl get -o json`; empty: standard input
  std::optional<std::string> output;
  bool print_command = false, untracked = false;
};

using Tree = std::vector<std::unique_ptr<diff::Side>>;

// Whether a file contains only objects and Lists. An empty List has no objects.
bool holds_manifests(const diff::SideFile& file, const diff::Side& live) {
  const bool is_empty_list = !file.documents.empty() && file.documents.front().value.find("items") != nullptr;
  const auto is_none = [&](const diff::Object& object) { return object.file == &file && object.kind.empty(); };
  return !file.broken && (is_empty_list || std::none_of(live.objects().begin(), live.objects().end(), is_none));
}

// Reads one file with objects of the API server into `live`. Returns false after reporting an error.
bool read_live(const std::string& file, workflow::OpenProject& open, Console& console, diff::Side& live) {
  const bool is_input = file == "-";
  const std::string shown = is_input ? "standard input" : fmt::format("`{}`", file);
  const std::size_t most = open.limits.input_bytes;
  std::string text;
  IoError error;
  if (is_input) text = workflow::standard_input().read_all(most), error = workflow::standard_input().error();
  else error = open.fs.read(file, text, most);
  if (error) {
    console.fail(fmt::format("{} can't be read: {}", shown, describe(error)));
    return false;
  }
  if (text.size() > most) {
    console.fail(
        fmt::format("{} has more than {} bytes\nhelp: run kubectl once for each namespace, with `-n` instead of "
                    "`-A`, and name all the files",
                    shown, most));
    return false;
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    console.fail(fmt::format("{} is empty\nhelp: kubectl failed; run it again and check its error", shown));
    return false;
  }
  // Parses JSON by the rules of JSON, which is faster.
  const bool is_json = text[first] == '{';
  live.add_file(fmt::format("{}{}", live.files().size(), is_json ? ".json" : ".yaml"), std::move(text));
  const diff::SideFile& added = live.files().back();
  live.read(added);
  if (holds_manifests(added, live)) return true;
  console.fail(
      fmt::format("{} isn't the output of `kubectl get -o json`\nhelp: `capwright leftovers --command` prints "
                  "the kubectl command",
                  shown));
  return false;
}

// A repository without `clusters/`, or another folder: every live cluster would be a leftover.
bool has_tree(workflow::OpenProject& open, const std::string& folder) {
  FileStat stat;
  return !open.fs.stat(folder + "/clusters", stat) && stat.type == FileType::Directory;
}

Tree read_tree(workflow::OpenProject& open, const std::string& folder) {
  Tree tree;
  for (const diff::ClusterFolder& cluster : diff::find_clusters(open.fs, folder, open.sink)) {
    tree.push_back(diff::read_folder(open.fs, cluster, open.limits, open.sink));
    tree.back()->read_all();
  }
  return tree;
}

bool has_cluster(const diff::Side& side) {
  return std::ranges::any_of(side.objects(), [](const diff::Object& object) {
    return object.kind == "Cluster" && object.group == "cluster.x-k8s.io";
  });
}

// Argo CD's plugin renders the values files, and `clusters/` is missing or old. Otherwise empty.
std::string why_not_applied(workflow::OpenProject& open, const std::vector<NamedCluster>& clusters) {
  const lint::PluginClusters by_plugin(*open.project, folder_in_git(open.files, open.output_folder(std::nullopt)));
  if (std::ranges::none_of(clusters, [&](const NamedCluster& each) { return by_plugin.has(each.name); })) return {};
  return "Argo CD renders the values files, so `clusters/` may lack objects that it applied\n"
         "help: compare with a new render: `capwright render -o ../tree`, then `capwright leftovers -o ../tree` with "
         "the "
         "same arguments";
}

// The tree lacks a cluster that a values file defines, so its live objects would be leftovers. Otherwise empty. A
// folder with an index was rendered, with templates that make no Cluster.
std::string why_incomplete(workflow::OpenProject& open, const std::vector<NamedCluster>& clusters,
                           const std::string& folder, const Tree& tree, const std::optional<std::string>& given) {
  std::set<std::string> rendered;
  for (const auto& side : tree) {
    FileStat stat;
    const std::string index = fmt::format("{}/clusters/{}/{}", folder, side->cluster(), kIndexName);
    if (has_cluster(*side) || !open.fs.stat(index, stat)) rendered.insert(side->cluster());
  }
  std::vector<const NamedCluster*> missing;
  for (const NamedCluster& each : clusters) {
    if (!rendered.contains(each.name)) missing.push_back(&each);
  }
  if (missing.empty()) return {};
  const std::string more = missing.size() == 1 ? "" : fmt::format(" and {} more", missing.size() - 1);
  return fmt::format(
      "the tree lacks `clusters/{}`{}: `{}` defines the cluster, and nothing is known of its objects\n"
      "help: run `capwright render{}`, and this command again",
      report::printable(missing.front()->name), more, report::printable(missing.front()->values_path),
      given ? " -o " + shell_word(*given) : "");
}

// Names the first of the objects that aren't reported, and counts the rest.
std::string note_of_others(const std::vector<std::string>& others, std::string_view noun) {
  constexpr std::size_t kMost = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(kMost, others.size()); ++i)
    names += fmt::format("{}`{}`", i == 0 ? "" : ", ", report::printable(others[i]));
  if (others.size() > kMost) names += fmt::format(" and {} more", others.size() - kMost);
  return fmt::format("note: nothing shows that this repository made {}: {}", report::counted(others.size(), noun),
                     names);
}

void summarize(const leftovers::Findings& findings, std::size_t clusters, const Console& console) {
  if (!findings.untracked.empty()) console.say(note_of_others(findings.untracked, "cluster"));
  if (!findings.unproven.empty()) console.say(note_of_others(findings.unproven, "object"));
  if (!findings.untracked.empty() || !findings.unproven.empty())
    console.say("help: `--untracked` lists them, if this repository is where all clusters come from");
  if (findings.held == 0 && clusters != 0)
    console.say(
        "note: the input has no object of the rendered tree\n"
        "help: check that it comes from the right management cluster: `kubectl config current-context`");
  const std::string compared = fmt::format("{} compared with {}", report::counted(findings.objects, "live object"),
                                           report::counted(clusters, "cluster"));
  if (findings.leftovers.empty()) return console.say(fmt::format("no leftovers: {}", compared));
  std::int64_t machines = 0;
  for (const leftovers::Leftover& leftover : findings.leftovers) machines += leftover.machines.value_or(0);
  const std::string running =
      machines == 0 ? "" : fmt::format(" with {}", report::counted(static_cast<std::size_t>(machines), "machine"));
  console.say(fmt::format("{}{}: {}", report::counted(findings.leftovers.size(), "leftover"), running, compared));
}

std::string why_refused(workflow::OpenProject& open, const std::string& folder, const Tree& tree,
                        const std::optional<std::string>& given) {
  const std::vector<NamedCluster>& clusters = named_clusters(*open.project);
  std::string why = given ? std::string() : why_not_applied(open, clusters);
  return why.empty() ? why_incomplete(open, clusters, folder, tree, given) : why;
}

// A tree that was rendered outside of the repository has no history of its own.
std::set<std::string, std::less<>> earlier_clusters(const workflow::OpenProject& open, const std::string& folder) {
  auto names = workflow::clusters_of_history(folder);
  return names.empty() ? workflow::clusters_of_history(open.output_folder(std::nullopt)) : names;
}

int run_leftovers(const LeftoversOptions& options) {
  Console console(options.common);
  const auto open =
      workflow::open_project({.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = {}});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  const std::string folder = open->output_folder(options.output);
  if (!options.output && !has_tree(*open, folder)) {
    console.fail(
        "there is no rendered tree `clusters/` to compare with\n"
        "help: run the command in the folder of `capwright.yaml`, or name the tree with `--output`");
    return kUsageError;
  }
  const Tree tree = read_tree(*open, folder);
  if (open->sink.failed()) return std::max<int>(show_faults(*open, console), kUsageError);
  if (const std::string refusal = why_refused(*open, folder, tree, options.output); !refusal.empty()) {
    console.fail(refusal);
    return kUsageError;
  }
  if (options.print_command) {
    return console.finish(leftovers::kubectl_command(tree) + "\n");
  }
  diff::Side live("live", open->limits);
  const std::vector<std::string> input{"-"};
  for (const std::string& file : options.files.empty() ? input : options.files) {
    if (!read_live(file, *open, console, live)) return kUsageError;
  }
  const auto history = [&] { return earlier_clusters(*open, folder); };
  const leftovers::Findings findings = leftovers::find_leftovers(live, tree, history, options.untracked);
  if (findings.objects == 0) {
    console.fail(
        "nothing was compared: the input has no object of a cluster\n"
        "help: run the kubectl command that `capwright leftovers --command` prints, in the context of the management "
        "cluster");
    return kUsageError;
  }
  const bool is_json = options.common.format == Format::Json;
  console.print(is_json ? leftovers::as_json(findings, tree.size()) : leftovers::as_text(findings));
  if (!console.flush()) return kUsageError;
  summarize(findings, tree.size(), console);
  return findings.leftovers.empty() ? kClean : kFindings;
}

class LeftoversCommand final : public CommandWith<LeftoversOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("file", options_.files, "Output of `kubectl get -o json`; `-`, the default, is standard input")
        ->type_name("FILE|-");
    app.add_option("-o,--output", options_.output, "Folder that contains `clusters/`")->type_name("DIR");
    app.add_flag("--command", options_.print_command, "Print the kubectl command whose output this command reads");
    app.add_flag("--untracked", options_.untracked, "Include objects that nothing connects with this repository");
    add_common(app, options_.common, {"text", "json"});
  }
  int run() override { return run_leftovers(options_); }
};

}  // namespace

const CommandInfo leftovers_command{
    "leftovers",
    "List objects of the management cluster that no rendered file contains",
    make_command<LeftoversCommand>,
    {{"Compare the live objects of the management cluster with the tree",
      "kubectl get clusters -A -o json | capwright leftovers"},
     {"Print the kubectl command that gets all of them", "capwright leftovers --command"}}};

}  // namespace capwright::cli
