// `capwright explain network.node_cidr`, `capwright explain values/prod-a.yaml:4`: what a value makes.
#include "pipeline/explain_value.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>

#include "cli/explain_options.h"
#include "cli/faults.h"
#include "diag/suggest.h"
#include "files/output_tree.h"
#include "pipeline/value_sources.h"
#include "report/values_report.h"
#include "workflow/open_project.h"
#include "workflow/shown_path.h"

namespace capwright::cli {
namespace {

// One explanation, and the clusters that share it.
struct SharedText {
  std::string text;
  std::vector<std::string> clusters;
};

// The paths of a cluster without its name, to find clusters with the same explanation.
std::string without_name(std::string text, const std::string& cluster) {
  const std::string own = "clusters/" + cluster + "/", any = "clusters/<cluster>/";
  for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at + any.size()))
    text.replace(at, own.size(), any);
  return text;
}

class ValueExplainer {
 public:
  // What to explain in a cluster.
  using Find = std::function<std::vector<ExplainedValue>(const CompiledCluster&)>;

  ValueExplainer(const ExplainOptions& options, workflow::OpenProject& open, Console& console)
      : options_(options), open_(open), console_(console) {}

  int run(const std::vector<std::string>& values_paths, const Find& find, const std::string& nothing) {
    OutputTree tree(open_.fs, open_.output_folder(options_.output), "");
    if (!tree.open(OutputTree::Access::Read, open_.sink)) return show_faults(open_, console_);
    int worst = kClean;
    for (const std::string& path : values_paths) {
      const auto cluster = compile_cluster(path, *open_.project, &tree, true);
      const int code = cluster->clean() ? kClean : show_faults(*cluster, console_);
      worst = std::max(worst, code);
      if (code == kClean) add(*cluster, find(*cluster), values_paths.size() > 1);
    }
    if (texts_.empty() && documents_.empty()) {
      if (worst == kClean) console_.fail(nothing);
      return std::max<int>(worst, kUsageError);
    }
    print();
    return console_.flush() ? worst : kUsageError;
  }

 private:
  void add(const CompiledCluster& cluster, const std::vector<ExplainedValue>& values, bool is_one_of_several) {
    if (values.empty()) return;
    if (options_.common.format == Format::Json) {
      documents_.push_back(report::value_uses_json(cluster, values));
      return;
    }
    std::string text = report::value_uses_text(cluster, values, console_.color());
    if (is_one_of_several) text = without_name(std::move(text), cluster.name);
    const auto same =
        std::find_if(texts_.begin(), texts_.end(), [&](const SharedText& known) { return known.text == text; });
    if (same == texts_.end()) texts_.push_back({std::move(text), {cluster.name}});
    else same->clusters.push_back(cluster.name);
    is_one_of_several_ = is_one_of_several;
  }

  void print() {
    if (options_.common.format == Format::Json) console_.print(report::value_uses_document(documents_));
    for (const SharedText& shared : texts_) {
      const std::vector<std::string_view> names(shared.clusters.begin(), shared.clusters.end());
      if (is_one_of_several_) console_.print(fmt::format("in {}:\n", fmt::join(names, ", ")));
      console_.print(shared.text);
    }
  }

  const ExplainOptions& options_;
  workflow::OpenProject& open_;
  Console& console_;
  std::vector<SharedText> texts_;
  std::vector<std::string> documents_;
  bool is_one_of_several_ = false;
};

bool is_values_file(const std::string& file, workflow::OpenProject& open) {
  const std::vector<std::string> all = workflow::choose_clusters(open, {});
  return std::find(all.begin(), all.end(), file) != all.end();
}

// Values files whose cluster to explain; the file itself if it is one.
std::vector<std::string> clusters_for(const ExplainOptions& options, const std::string& file,
                                      workflow::OpenProject& open) {
  if (options.cluster) return workflow::choose_clusters(open, {*options.cluster});
  return is_values_file(file, open) ? std::vector<std::string>{file} : workflow::choose_clusters(open, {});
}

int explain_line_of(const std::string& file, const ExplainOptions& options, const ExplainTarget& target,
                    workflow::OpenProject& open, Console& console) {
  if (target.line && *target.line == 0) {
    console.fail("lines are counted from 1");
    return kUsageError;
  }
  const std::vector<std::string> paths = clusters_for(options, file, open);
  if (open.sink.failed()) return show_faults(open, console);
  const auto find = [&](const CompiledCluster& cluster) {
    std::vector<ExplainedValue> found = explain_source_line(cluster, file, target.line.value_or(0));
    for (std::uint32_t line = target.line.value_or(0) + 1; line <= target.last_line.value_or(0); ++line)
      std::ranges::move(explain_source_line(cluster, file, line), std::back_inserter(found));
    return found;
  };
  const std::string range =
      target.last_line ? fmt::format("lines {} to {} of `{}`", *target.line, *target.last_line, file) : "";
  const std::string place = target.line ? fmt::format("line {} of `{}`", *target.line, file) : "`" + file + "`";
  return ValueExplainer(options, open, console)
      .run(paths, find,
           fmt::format("{} no value of {}", range.empty() ? place + " sets" : range + " set",
                       options.cluster ? *options.cluster : "any cluster"));
}

std::optional<int> explain_key(const ExplainOptions& options, workflow::OpenProject& open, Console& console) {
  std::vector<std::string> paths = clusters_for(options, "", open);
  if (open.sink.failed()) return show_faults(open, console);
  Sink malformed;
  Stage stage{open.sources, malformed, open.arena, open.origins, open.limits};
  const std::vector<values::PathStep> path = values::parse_path(options.target, Span(), stage);
  if (malformed.failed() || paths.empty()) return std::nullopt;
  // The first cluster decides whether the target is meant as a key.
  const auto first = load_cluster(paths.front(), *open.project);
  const bool is_key = value_at(first->values, path) != nullptr || is_declared(*first, path);
  const std::string similar = is_key ? "" : similar_path(*first, path);
  if (!is_key && similar.empty()) return std::nullopt;
  if (!is_key) {
    console.fail(
        fmt::format("`{}` is neither the code of a diagnostic, nor a file, nor a key of values; did you mean "
                    "`{}`?",
                    report::printable(options.target), similar));
    return kUsageError;
  }
  if (paths.size() > 1) {
    std::vector<std::string_view> names;
    for (const std::string& values_path : paths) names.push_back(cluster_stem(values_path));
    console.fail(fmt::format("`{}` is a key of several clusters; name one with `--cluster`: {}", options.target,
                             list_names(names, 8)));
    return kUsageError;
  }
  const auto find = [&](const CompiledCluster& cluster) {
    std::vector<ExplainedValue> found;
    if (const Value* value = value_at(cluster.values, path))
      found.push_back(explain_value(cluster, *value, values::path_text(path)));
    return found;
  };
  return ValueExplainer(options, open, console)
      .run(paths, find, fmt::format("`{}` isn't set in {}, and has no default", options.target, first->name));
}

}  // namespace

std::optional<int> explain_values(const ExplainOptions& options, const ExplainTarget& target, Console& console) {
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = options.values,
                                            .plain = options.plain,
                                            .writes = false,
                                            .output = options.output,
                                            .upgrade_set = true});
  if (open->project == nullptr) return show_faults(*open, console);
  FileStat stat;
  const bool is_file = !open->fs.stat(target.path, stat) && stat.type != FileType::Directory;
  const std::string file = workflow::shown_path(open->project->workspace(), target.path);
  const bool is_in_tree = file.starts_with("clusters/") || file.find("/clusters/") != std::string::npos ||
                          !open->project->owner_of_output(file).empty();
  const bool is_rendered = is_in_tree && !is_values_file(file, *open);  // values can be in a folder of that name
  if (is_file && !is_rendered) return explain_line_of(file, options, target, *open, console);
  if (target.line || options.target.find('/') != std::string::npos) return std::nullopt;
  return explain_key(options, *open, console);
}

}  // namespace capwright::cli
