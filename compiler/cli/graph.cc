// `capwright graph`: the objects of a cluster and their references, including missing ones.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "graph/object_graph.h"
#include "report/diff_words.h"
#include "workflow/session.h"
#include "workflow/visited_clusters.h"

namespace capwright::cli {
namespace {

// Output formats of an object graph.
enum class GraphForm : std::uint8_t { Text, Dot, Mermaid, Json };

// Targets are the same as for lint.
struct GraphOptions {
  CommonOptions common;  // its format is that of findings: text
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  std::vector<std::string> targets;
  std::optional<std::string> stdin_filename;
  GraphForm form = GraphForm::Text;
};

std::string written(const graph::ObjectGraph& graph, GraphForm form) {
  switch (form) {
    case GraphForm::Text: return as_text(graph);
    case GraphForm::Dot: return as_dot(graph);
    case GraphForm::Mermaid: return as_mermaid(graph);
    case GraphForm::Json: return as_json(graph);
  }
  return "";
}

// "21 objects, 30 references, 1 missing, 2 unused".
std::string summary_of(const graph::ObjectGraph& graph) {
  const auto count = [&](const auto& holds) {
    return static_cast<std::size_t>(std::count_if(graph.vertices.begin(), graph.vertices.end(), holds));
  };
  const std::size_t here = count([](const graph::Vertex& v) { return v.standing == graph::Standing::Present; });
  const std::size_t missing = count([](const graph::Vertex& v) { return v.standing == graph::Standing::Missing; });
  const std::size_t unused = count([](const graph::Vertex& v) { return v.use == graph::Use::Unused; });
  std::string text = report::counted(here, "object") + ", " + report::counted(graph.edges.size(), "reference");
  if (missing != 0) text += fmt::format(", {} missing", missing);
  if (unused != 0) text += fmt::format(", {} unused", unused);
  return text;
}

// Keeps the part of each cluster until all are known, but not the cluster.
graph::ObjectGraph graph_of(workflow::VisitedClusters& clusters, workflow::LintTargets targets) {
  std::mutex lock;
  std::map<std::size_t, graph::ObjectGraph> by_number;
  clusters.visit(std::move(targets), [&](std::size_t number, lint::Cluster& cluster) {
    graph::ObjectGraph part = graph::graph_of(cluster);
    const std::lock_guard hold(lock);
    by_number.emplace(number, std::move(part));
  });
  std::vector<graph::ObjectGraph> parts;
  for (auto& [number, part] : by_number) parts.push_back(std::move(part));
  return graph::join(std::move(parts));
}

int run_graph(const GraphOptions& options) {
  Console console(options.common);
  workflow::Session session({.repository = options.common,
                             .values = options.values,
                             .plain = options.plain,
                             .writes = false,
                             .output = std::nullopt,
                             .upgrade_set = true,
                             .edited_file = workflow::edited_file({options.targets, options.stdin_filename})});
  workflow::OpenProject& open = session.open();
  if (open.project == nullptr) return std::max<int>(show_faults(open, console), kUsageError);
  workflow::LintTargets targets = workflow::find_lint_targets(open, {options.targets, options.stdin_filename});
  const std::vector<std::string> notes = targets.notes;
  OutputTree* tree = open.sink.failed() || targets.values.empty() ? nullptr : session.tree();
  if (open.sink.failed()) return std::max<int>(show_faults(open, console), kFindings);
  const lint::Context context = session.setup().context(*open.project, targets.all_clusters);
  workflow::VisitedClusters clusters(open, context, tree);
  const graph::ObjectGraph graph = graph_of(clusters, std::move(targets));
  report::Findings findings;
  clusters.add_findings(findings);
  console.show(findings, true);
  console.print(written(graph, options.form));
  if (!console.flush()) return kUsageError;
  for (const std::string& note : notes) console.say("note: " + note);
  console.say(summary_of(graph));
  return exit_code(findings);
}

class GraphCommand final : public CommandWith<GraphOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option(
           "target", options_.targets,
           "Clusters, sources, values files, manifests, folders of them, or `-` (default: the whole repository)")
        ->type_name("CLUSTER|FILE|DIR|-");
    add_choice<GraphForm>(
        app, "-f,--format", options_.form,
        {{"text", GraphForm::Text},
         {"dot", GraphForm::Dot},
         {"mermaid", GraphForm::Mermaid},
         {"json", GraphForm::Json}},
        "Output format: trees as text, or a graph for Graphviz, Mermaid or other programs (default: text)");
    app.add_option("--stdin-filename", options_.stdin_filename, "Name of the file that `-` contains")
        ->type_name("FILE");
    add_run_sources(app, options_.common);
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common_but_format(app, options_.common);
  }
  int run() override { return run_graph(options_); }

 protected:
  std::string contradiction() const override { return needless_name(options_.targets, options_.stdin_filename); }
};

}  // namespace

const CommandInfo graph_command{
    "graph",
    "Print the references between objects of a cluster",
    make_command<GraphCommand>,
    {{"Print the objects of a cluster as a tree of references", "capwright graph prod-a"},
     {"Draw them with Graphviz", "capwright graph prod-a -f dot | dot -Tsvg > prod-a.svg"}}};

}  // namespace capwright::cli
