// `capwright render`: clusters into the tree, or a look at what would go there.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/hash.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/git_history.h"
#include "cli/manifest_stream.h"
#include "cli/open_project.h"
#include "diag/catalog.h"
#include "files/unclaimed.h"
#include "pipeline/compile_fleet.h"
#include "report/source_map.h"
#include "report/text.h"
#include "rotation/keep.h"
#include "source/real_save.h"

namespace capwright::cli {
namespace {

using Task = FleetOptions::Task;

// Parts of a fleet for CI jobs: by the name's digest, so that a cluster stays in its part when others come and go.
bool in_shard(std::string_view values_path, const RenderOptions& options) {
  if (options.shards == 0) return true;
  const Sha256 digest = sha256(cluster_stem(values_path));
  const std::uint32_t number = static_cast<std::uint32_t>(digest[0]) << 24 |
                               static_cast<std::uint32_t>(digest[1]) << 16 |
                               static_cast<std::uint32_t>(digest[2]) << 8 | digest[3];
  return number % options.shards + 1 == options.shard;
}

// Findings of the run: the sets' own first, then the clusters' in order.
class RunReport {
 public:
  RunReport(OpenProject& open, const std::vector<ClusterOutcome>& outcomes) {
    add_project_findings(open, findings_);
    secrets_.reserve(outcomes.size());
    for (const ClusterOutcome& outcome : outcomes) {
      if (outcome.cluster == nullptr) continue;
      secrets_.emplace_back(outcome.cluster->secrets);
      findings_.add(outcome.cluster->sink.diagnostics(), outcome.cluster->sources, &secrets_.back(), outcome.name,
                    outcomes.size() > 1 ? outcome.values_path : std::string_view());
    }
  }
  const report::Findings& findings() const { return findings_; }

 private:
  std::vector<report::SecretSpans> secrets_;
  report::Findings findings_;
};

// Only who has rendered every cluster of the repository knows which folders are left over.
void report_left_over(const RenderOptions& options, const std::vector<ClusterOutcome>& outcomes, const OutputTree& tree,
                      Sink& sink) {
  if (!options.targets.empty() || options.shards != 0 || options.plain) return;
  std::set<std::string> names;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean) return;  // it may have another name than it seems to have
    names.insert(outcome.name);
  }
  report_unclaimed(tree, names, sink);
}

void print_stream(const std::vector<ClusterOutcome>& outcomes, Console& console) {
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.cluster == nullptr) continue;
    for (const RenderedFile& file : outcome.cluster->files.files()) {
      if (is_manifest(file.path)) console.print(as_stream(file));
    }
  }
}

void print_list(const std::vector<ClusterOutcome>& outcomes, Console& console) {
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.cluster == nullptr) continue;
    for (const RenderedFile& file : outcome.cluster->files.files()) console.print(file.path + "\n");
  }
}

std::string_view difference_name(TreeDifference::Kind kind) {
  switch (kind) {
    case TreeDifference::Kind::Missing: return "missing";
    case TreeDifference::Kind::Changed: return "stale";
    case TreeDifference::Kind::Extra: return "no longer rendered";
  }
  return "";
}

// How a tree is brought up to date in which so many files were edited by hand.
std::string advice_for(std::size_t by_hand) {
  if (by_hand == 0) return "the tree is stale: `capwright render` brings it up to date";
  const bool is_one = by_hand == 1;
  return fmt::format(
      "the tree is stale, and `capwright render` stops at the {} that {} edited by hand: move the change into values "
      "or "
      "templates, where `capwright explain FILE:LINE` names the place, then `capwright render --force` replaces {}",
      is_one ? "file" : fmt::format("{} files", by_hand), is_one ? "was" : "were", is_one ? "it" : "them");
}

// A render that replaces templates, without Git to say which ones run.
void report_missing_history(const std::vector<ClusterOutcome>& outcomes, const std::string& why, Sink& sink) {
  const auto is_retired = [](std::string_view path) { return path.ends_with(rotation::kRetiredFile); };
  const auto retires = [&](const ClusterOutcome& outcome) {
    return std::any_of(outcome.write.written.begin(), outcome.write.written.end(), is_retired) ||
           std::any_of(outcome.differences.begin(), outcome.differences.end(),
                       [&](const TreeDifference& difference) { return is_retired(difference.path); });
  };
  if (!why.empty() && std::any_of(outcomes.begin(), outcomes.end(), retires))
    sink.report(diag::generations_from_folder, Span(), why);
}

// True when the tree is up to date.
bool print_differences(const std::vector<ClusterOutcome>& outcomes, Console& console) {
  bool same = true;
  std::size_t by_hand = 0;
  for (const ClusterOutcome& outcome : outcomes) {
    for (const TreeDifference& difference : outcome.differences) {
      same = false;
      by_hand += difference.by_hand ? 1 : 0;
      const std::string text = fmt::format("{}: {}{}\n{}", difference.path, difference_name(difference.kind),
                                           difference.by_hand ? ", edited by hand" : "", difference.diff);
      console.print_beside(text);
    }
  }
  if (!same) console.say(advice_for(by_hand));
  return same;
}

void say_what_was_written(const std::vector<ClusterOutcome>& outcomes, Console& console) {
  std::size_t clusters = 0, unchanged = 0, written = 0, deleted = 0;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean) continue;
    if (outcome.write.outcome == WriteResult::Outcome::Unchanged) ++unchanged;
    if (outcome.write.outcome != WriteResult::Outcome::Written) continue;
    ++clusters;
    written += outcome.write.written.size();
    deleted += outcome.write.deleted.size();
    if (!console.verbose()) continue;
    for (const std::string& path : outcome.write.written) console.say("wrote " + path);
    for (const std::string& path : outcome.write.deleted) console.say("deleted " + path);
  }
  std::string line = fmt::format("{} cluster{} written ({} file{}", clusters, clusters == 1 ? "" : "s", written,
                                 written == 1 ? "" : "s");
  if (deleted != 0) line += fmt::format(", {} deleted", deleted);
  console.say(line + fmt::format("), {} unchanged", unchanged));
}

bool write_source_maps(const std::vector<ClusterOutcome>& outcomes, OpenProject& open, const std::string& output,
                       Console& console) {
  const std::string folder = output + "/.capwright";
  if (const IoError error = make_dirs(open.fs, folder)) {
    console.fail(fmt::format("{} can't be made: {}", folder, describe(error)));
    return false;
  }
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.cluster == nullptr) continue;
    const std::string path = folder + "/" + outcome.name + ".source-map.json";
    if (const IoError error = save_file(path, report::source_map(*outcome.cluster))) {
      console.fail(fmt::format("{} can't be written: {}", path, describe(error)));
      return false;
    }
  }
  return true;
}

struct Finish {
  const RenderOptions& options;
  OpenProject& open;
  const std::vector<ClusterOutcome>& outcomes;
  const std::string& output;
  Console& console;

  int operator()(Task task) const {
    RunReport report(open, outcomes);
    console.show(report.findings(), options.to_stdout || options.list);
    int code = exit_code(report.findings());
    if (options.to_stdout) print_stream(outcomes, console);
    if (options.list) print_list(outcomes, console);
    if (task == Task::Check && !print_differences(outcomes, console)) code = std::max<int>(code, kFindings);
    if (task == Task::Write) say_what_was_written(outcomes, console);
    if (options.source_map && !write_source_maps(outcomes, open, output, console)) code = kUsageError;
    const std::string counted =
        report::summary(report.findings().count(Severity::Error), report.findings().count(Severity::Warning));
    if (!counted.empty()) console.say(counted);
    return console.flush() ? code : kUsageError;
  }
};

Task task_of(const RenderOptions& options) {
  if (options.to_stdout || options.list) return Task::Compile;
  return options.check ? Task::Check : Task::Write;
}

}  // namespace

int run_render(const RenderOptions& options) {
  Console console(options.common);
  const auto open = open_project({.common = options.common,
                                  .values = options.values,
                                  .plain = options.plain,
                                  .writes = task_of(options) == Task::Write,
                                  .output = options.output,
                                  .upgrade_set = options.upgrade_set,
                                  .force = options.force,
                                  .forget_removed = options.forget_removed,
                                  .encrypts = !options.list || options.source_map,
                                  .reencrypt = options.reencrypt});
  const std::vector<ClusterOutcome> nothing;
  const std::string output = open->project != nullptr ? open->output_folder(options.output) : "";
  const auto stop = [&] { return Finish{options, *open, nothing, output, console}(Task::Compile); };
  if (open->project == nullptr) return std::max<int>(stop(), kUsageError);
  std::vector<std::string> clusters = choose_clusters(*open, options.targets);
  if (open->sink.failed()) return stop();
  if (clusters.empty() && options.targets.empty()) {
    console.say(fmt::format("no values file was found below `{}`: each YAML or JSON file there is a cluster",
                            fmt::join(open->project->config().values, "`, `")));
  }
  std::erase_if(clusters, [&](const std::string& path) { return !in_shard(path, options); });

  FleetOptions fleet;
  fleet.task = task_of(options);
  fleet.force = options.force;
  fleet.all_or_nothing = options.all_or_nothing;
  fleet.jobs = options.jobs;
  fleet.keep = options.to_stdout || options.list || options.source_map;
  if (options.common.verbose) fleet.diff.most_lines = 0;
  OutputTree tree(open->fs, output,
                  options.output                          ? output + "/"
                  : open->project->config().output == "." ? ""
                                                          : open->project->config().output + "/");
  std::string no_history;
  const auto history = options.plain ? nullptr : GitHistory::open(open->fs, output, no_history);
  tree.set_history(history.get());
  fleet.tree = &tree;
  const auto access = fleet.task == Task::Write ? OutputTree::Access::Write : OutputTree::Access::Look;
  const bool looks = fleet.task != Task::Compile || !options.plain;  // a plain folder's files have no generations
  if (looks && !tree.open(access, open->sink)) return stop();
  const std::vector<ClusterOutcome> outcomes = compile_fleet(clusters, *open->project, fleet);
  if (fleet.task != Task::Compile) report_left_over(options, outcomes, tree, open->sink);
  report_missing_history(outcomes, no_history, open->sink);
  return Finish{options, *open, outcomes, output, console}(fleet.task);
}

}  // namespace capwright::cli
