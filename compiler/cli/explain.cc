// `capwright explain`: the page of a diagnostic, or what made a line of a rendered file.
#include "pipeline/explain.h"

#include <charconv>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/dev_docs.h"
#include "cli/open_project.h"
#include "diag/catalog.h"
#include "diag/suggest.h"
#include "pipeline/secret_policy.h"
#include "report/explanation.h"
#include "report/text.h"

namespace capwright::cli {
namespace {

// `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`; a part that is no number belongs to the file's name.
struct Target {
  std::string path;
  std::optional<std::uint32_t> line;
  std::uint32_t column = 0;
};

std::optional<std::uint32_t> take_number(std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return std::nullopt;
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stopped != end || number == 0) return std::nullopt;
  text.resize(colon);
  return number;
}

Target parse_target(const std::string& text) {
  Target target{text, std::nullopt, 0};
  const std::optional<std::uint32_t> last = take_number(target.path);
  if (!last) return target;
  const std::optional<std::uint32_t> before = take_number(target.path);
  target.line = before ? before : last;
  if (before) target.column = *last;
  return target;
}

// `clusters/<name>/…` somewhere in the path: a rendered file may be named from any folder.
std::string path_in_output(std::string_view path) {
  const std::size_t at = path.rfind("clusters/");
  return std::string(at == std::string_view::npos ? path : path.substr(at));
}

std::string_view cluster_in(std::string_view path) {
  constexpr std::string_view kFolder = "clusters/";
  if (!path.starts_with(kFolder)) return {};
  const std::string_view rest = path.substr(kFolder.size());
  return rest.substr(0, rest.find('/'));
}

// The cluster of that name. Files are named after their clusters as a rule; when none is, all are compiled.
std::unique_ptr<CompiledCluster> compile_named(std::string_view name, OpenProject& open, const OutputTree& tree) {
  std::vector<std::string> paths = choose_clusters(open, {});
  std::stable_partition(paths.begin(), paths.end(),
                        [&](const std::string& path) { return cluster_stem(path) == name; });
  for (const std::string& path : paths) {
    auto cluster = compile_cluster(path, *open.project, &tree, true);
    if (cluster->name == name) return cluster;
  }
  return nullptr;
}

int explain_file(const ExplainOptions& options, Console& console) {
  const Target target = parse_target(options.target);
  const std::string path = path_in_output(target.path);
  // A line is explained as this capwright renders it, whatever rendered the tree.
  const auto open = open_project({.common = options.common,
                                  .values = options.values,
                                  .plain = options.plain,
                                  .writes = false,
                                  .output = options.output,
                                  .upgrade_set = true});
  if (open->project == nullptr) return show_faults(*open, console);
  OutputTree tree(open->fs, open->output_folder(options.output), "");
  if (!tree.open(OutputTree::Access::Look, open->sink)) return show_faults(*open, console);
  const auto cluster = compile_named(cluster_in(path), *open, tree);
  if (cluster == nullptr) {
    console.fail(
        fmt::format("`{}` is neither a diagnostic's code nor a file of a cluster of this repository", options.target));
    return kUsageError;
  }
  if (!cluster->clean()) return show_faults(*cluster, console);
  const RenderedFile* file = cluster->files.find(path);
  if (file == nullptr) {
    std::vector<std::string_view> paths;
    for (const RenderedFile& each : cluster->files.files()) paths.push_back(each.path);
    console.fail(fmt::format("`{}` is not rendered; {} has {}", path, cluster->name, list_names(paths, 20)));
    return kUsageError;
  }
  const std::vector<ExplainedLine> lines = explain_lines(*cluster, *file, target.line);
  if (lines.empty()) {
    console.fail(fmt::format("`{}` has no line {}", path, *target.line));
    return kUsageError;
  }
  if (file->secret && secrets_form(*cluster) == "sops")
    console.say(fmt::format("`{}` is encrypted as a whole: its lines are counted as they are rendered", path));
  console.print(options.common.format == Format::Json
                    ? report::explanation_json(*cluster, path, lines, target.column)
                    : report::explanation_text(*cluster, path, lines, target.column, console.color()));
  return console.flush() ? kClean : kUsageError;
}

}  // namespace

int run_explain(const ExplainOptions& options) {
  Console console(options.common);
  if (const DiagInfo* info = diag::find(options.target)) {
    console.print(diagnostic_page(*info));
    return console.flush() ? kClean : kUsageError;
  }
  return explain_file(options, console);
}

}  // namespace capwright::cli
