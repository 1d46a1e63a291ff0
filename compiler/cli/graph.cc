// `capwright graph`: the objects of a cluster and their references, including missing ones.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/visited_clusters.h"
#include "graph/object_graph.h"
#include "report/diff_words.h"

namespace capwright::cli {
namespace {

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
graph::ObjectGraph graph_of(VisitedClusters& clusters, LintTargets targets) {
  std::mutex lock;
  std::map<std::size_t, graph::ObjectGraph> by_number;
  clusters.visit(std::move(targets), [&](std::size_t number, const lint::Cluster& cluster) {
    graph::ObjectGraph part = graph::graph_of(cluster);
    const std::lock_guard hold(lock);
    by_number.emplace(number, std::move(part));
  });
  std::vector<graph::ObjectGraph> parts;
  for (auto& [number, part] : by_number) parts.push_back(std::move(part));
  return graph::join(std::move(parts));
}

}  // namespace

int run_graph(const GraphOptions& options) {
  Console console(options.common);
  const auto open = open_project({.common = options.common,
                                  .values = options.values,
                                  .plain = options.plain,
                                  .writes = false,
                                  .output = std::nullopt,
                                  .upgrade_set = true,
                                  .edited_file = edited_file({options.targets, options.stdin_filename})});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  const Config& config = open->project->config();
  LintTargets targets = find_lint_targets(*open, {options.targets, options.stdin_filename});
  const std::vector<std::string> notes = targets.notes;
  OutputTree tree(open->fs, open->output_folder(std::nullopt), config.output == "." ? "" : config.output + "/");
  if (open->sink.failed() || (!targets.values.empty() && !tree.open(OutputTree::Access::Read, open->sink)))
    return std::max<int>(show_faults(*open, console), kFindings);
  const lint::Context context{open->limits, nullptr, lint::catalogue_date(), config.lint.externals,
                              targets.all_clusters};
  VisitedClusters clusters(*open, context, tree);
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

}  // namespace capwright::cli
