// `capwright render`: renders clusters into the tree, or shows the result.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "base/hash.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "diag/catalog/tree.h"
#include "files/index.h"
#include "files/output_tree.h"
#include "pipeline/compile_fleet.h"
#include "pipeline/removals.h"
#include "report/explanation.h"
#include "report/palette.h"
#include "report/text.h"
#include "rotation/keep.h"
#include "source/real_fs.h"
#include "text/kubectl.h"
#include "workflow/git_history.h"
#include "workflow/layer_findings.h"
#include "workflow/manifest_stream.h"
#include "workflow/open_project.h"
#include "workflow/stale_files.h"
#include "workflow/uncommitted_files.h"
#include "workflow/visited_clusters.h"

namespace capwright::cli {
namespace {

struct RenderOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  std::vector<std::string> targets;   // clusters or values files; empty: the complete repository
  std::optional<std::string> output;  // -o
  bool check = false, to_stdout = false, list = false, source_map = false;
  bool force = false, all_or_nothing = false, upgrade_set = false, reencrypt = false, forget_removed = false;
  bool exit_non_zero_on_change = false;
  std::optional<std::string> secrets_form;
  unsigned jobs = 0;  // 0: one per processor
  workflow::Shard shard;
};

using Task = FleetOptions::Task;

// The findings of the run: first those of the sets, then those of the clusters, in order.
class RunReport {
 public:
  RunReport(workflow::OpenProject& open, const std::vector<ClusterOutcome>& outcomes,
            const workflow::FindingsOfClusters& of_clusters) {
    workflow::add_project_findings(open, findings_);
    of_clusters.add_to(findings_, outcomes, outcomes.size() > 1);
  }
  // Also adds a finding for each stale file; text shows the diff instead.
  void add_stale_files(const std::vector<ClusterOutcome>& outcomes, const std::string& folder,
                       const std::string& output) {
    for (const ClusterOutcome& outcome : outcomes) {
      for (const TreeDifference& difference : outcome.differences) stale_.report(difference, folder, output);
    }
    stale_.add_to(findings_);
  }
  const report::Findings& findings() const { return findings_; }

 private:
  workflow::StaleFiles stale_;
  report::Findings findings_;
};

// Removal entries that an undone render left, and folders of other clusters. Those are only known after
// rendering every cluster of the repository.
void report_left_over(const RenderOptions& options, const std::vector<ClusterOutcome>& outcomes, const OutputTree& tree,
                      workflow::OpenProject& open) {
  Sink& sink = open.sink;
  for (const ClusterOutcome& outcome : outcomes) {
    if (outcome.clean && !options.check && !options.plain) report_left_entries(tree, outcome.name, open.limits, sink);
  }
  if (!options.targets.empty() || options.shard.count != 0 || options.plain) return;
  std::set<std::string> names;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean) return;  // its name may be wrong
    names.insert(outcome.name);
  }
  const bool is_gate = options.check || options.exit_non_zero_on_change;
  if (is_gate && !options.output) workflow::UncommittedFiles(open).add_local_clusters(tree, names);
  report_unclaimed(tree, names, sink, is_gate ? Severity::Error : Severity::Warning);
  if (options.check) report_loose_removals(tree, names, open.limits, sink);
}

bool checks_whole_tree(const RenderOptions& options) {
  return options.check && options.targets.empty() && !options.plain;
}

void print_stream(const std::vector<ClusterOutcome>& outcomes, Console& console) {
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.cluster == nullptr) continue;
    for (const RenderedFile& file : outcome.cluster->files.files()) {
      if (workflow::is_manifest(file.path)) console.print(workflow::as_stream(file));
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

// How to update a tree with this number of manually edited files. `add`: what adds the result to a commit; a hook may
// check the index of Git, where the result of a render is missing until then.
std::string advice_for(std::size_t by_hand, const std::string& add) {
  if (by_hand == 0)
    return fmt::format("the tree is stale; run `capwright render` to update it, and `{}` before you commit", add);
  const bool is_one = by_hand == 1;
  return fmt::format(
      "the tree is stale, and `capwright render` stops at the {} that {} edited by hand: move the change into values "
      "or templates (`capwright explain FILE:LINE` shows the place), then overwrite {} with `capwright render --force`",
      is_one ? "file" : fmt::format("{} files", by_hand), is_one ? "was" : "were", is_one ? "it" : "them");
}

// Reports a render that replaces templates while no Git history shows which ones are in use.
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

// What adds rendered files to a commit. `output`: the folder of the tree, for the process.
std::string add_command(bool is_in_clusters, const std::string& output) {
  const std::string clusters = (std::filesystem::path(output) / "clusters").lexically_normal().string();
  return "git add " + (is_in_clusters ? shell_word(clusters) : "-A");
}

// Returns true if the tree is up to date. `output`: its folder, for the process.
bool print_differences(const std::vector<ClusterOutcome>& outcomes, const std::string& output, bool has_diffs,
                       Console& console) {
  bool same = true, is_in_clusters = true;
  std::size_t by_hand = 0;
  for (const ClusterOutcome& outcome : outcomes) {
    for (const TreeDifference& difference : outcome.differences) {
      same = false;
      is_in_clusters &= difference.path.starts_with("clusters/");
      by_hand += difference.by_hand ? 1 : 0;
      if (!has_diffs) continue;
      const bool color = console.colors_beside();
      const report::Palette& palette = report::palette_of(color);
      const std::string title = fmt::format("{}: {}{}", difference.path, difference_name(difference.kind),
                                            difference.by_hand ? ", edited by hand" : "");
      console.print_beside(fmt::format("{}\n{}", report::painted(title, palette.bold, palette),
                                       report::painted_diff(difference.diff, color)));
    }
  }
  if (!same) console.say(advice_for(by_hand, add_command(is_in_clusters, output)));
  return same;
}

// A hook checks a copy of Git's index. If a cluster's own index is staged, but a file outside of its folder isn't, the
// file looks edited; if its inputs aren't, the whole cluster looks stale. `output`: the folder of the tree, for the
// process.
void say_what_may_be_unstaged(const std::vector<ClusterOutcome>& outcomes, const std::string& output,
                              Console& console) {
  std::string paths;
  bool is_other_render = false;
  for (const ClusterOutcome& outcome : outcomes) {
    const auto& all = outcome.differences;
    const auto is_index = [](const TreeDifference& each) { return each.path.ends_with(kIndexName); };
    const auto index = std::find_if(all.begin(), all.end(), is_index);
    is_other_render |= index != all.end() && index->kind == TreeDifference::Kind::Changed &&
                       std::none_of(all.begin(), all.end(), [](const auto& each) { return each.by_hand; });
    if (index != all.end()) continue;
    for (const TreeDifference& each : all) {
      if (!each.by_hand || each.path.starts_with("clusters/")) continue;
      paths += " " + shell_word((std::filesystem::path(output) / each.path).lexically_normal().string());
    }
  }
  if (!paths.empty()) console.say(fmt::format("if it was rendered but isn't staged, run `git add{}` instead", paths));
  if (is_other_render)
    console.say(
        "in a hook, if a render changes nothing, some values, layers, templates or rendered files aren't staged: "
        "`git status` shows them");
}

bool has_written(const std::vector<ClusterOutcome>& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const ClusterOutcome& outcome) {
    return outcome.clean && outcome.write.outcome == WriteResult::Outcome::Written;
  });
}

// For a hook, which fails then.
void say_what_to_add(const std::vector<ClusterOutcome>& outcomes, const std::string& output, Console& console) {
  constexpr std::size_t kMostShown = 5;
  std::vector<std::string> names;
  bool is_in_clusters = true;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.write.outcome != WriteResult::Outcome::Written) continue;
    names.push_back(outcome.name);
    for (const auto* paths : {&outcome.write.written, &outcome.write.deleted})
      is_in_clusters &= std::all_of(paths->begin(), paths->end(),
                                    [](const std::string& path) { return path.starts_with("clusters/"); });
  }
  if (names.empty()) return;
  std::string rest;
  if (names.size() > kMostShown) rest = fmt::format(" and {} more", names.size() - kMostShown);
  names.resize(std::min(names.size(), kMostShown));
  console.say(fmt::format("run `{}` to add the files of {}{}, add what other hooks changed, and commit again",
                          add_command(is_in_clusters, output), fmt::join(names, ", "), rest));
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
  std::string files = fmt::format("{} file{}", written, written == 1 ? "" : "s");
  if (deleted != 0) files += fmt::format(", {} deleted", deleted);
  else if (clusters != 0 && written == 0) files = "index only";
  std::string line =
      fmt::format("{} cluster{} written ({}), {} unchanged", clusters, clusters == 1 ? "" : "s", files, unchanged);
  const std::size_t failed = outcomes.size() - clusters - unchanged;
  if (failed != 0) line += fmt::format(", {} not written", failed);
  console.say(line);
}

// An earlier tool may have written files that no template renders. They stay, and are still applied.
void say_what_stays(const std::vector<ClusterOutcome>& outcomes, const std::string& shown, Console& console) {
  constexpr std::size_t kMostShown = 10;
  std::vector<std::string> words;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.write.outcome != WriteResult::Outcome::Written) continue;
    for (const std::string& path : outcome.write.unrendered) words.push_back(shell_word(shown + path));
  }
  if (words.empty()) return;
  const std::size_t count = words.size();
  std::string rest;
  if (count > kMostShown && !console.verbose()) {
    rest = fmt::format(", and {} more that `-v` lists at the first render", count - kMostShown);
    words.resize(kMostShown);
  }
  console.say(
      fmt::format("{} in the new folders {} rendered and {} there; if an earlier tool wrote {}, run `git rm {}`{}",
                  count == 1 ? "1 file" : fmt::format("{} files", count), count == 1 ? "isn't" : "aren't",
                  count == 1 ? "stays" : "stay", count == 1 ? "it" : "them", fmt::join(words, " "), rest));
}

// For `--forget-removed`.
void say_what_was_forgotten(const std::vector<ClusterOutcome>& outcomes, Console& console) {
  bool has_entries = false;
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean) continue;
    has_entries |= !outcome.dropped_entries.empty() || !outcome.kept_entries.empty() || outcome.has_lost_entries;
    if (outcome.has_lost_entries)
      console.say(
          fmt::format("dropped the removal entries of {}, whose file is missing: `capwright leftovers` finds pools "
                      "that still run",
                      outcome.name));
    for (const std::string& entry : outcome.dropped_entries) console.say("dropped the removal entry of " + entry);
    for (const std::string& entry : outcome.kept_entries)
      console.say("kept the removal entry of " + entry + ": commit the removal and its entry first");
  }
  if (!has_entries) console.say("nothing to forget");
}

bool write_source_maps(const std::vector<ClusterOutcome>& outcomes, workflow::OpenProject& open,
                       const std::string& output, Console& console) {
  const std::string folder = output + "/.capwright";
  if (const IoError error = make_dirs(open.fs, folder)) {
    console.fail(fmt::format("{} can't be made: {}", folder, describe(error)));
    return false;
  }
  for (const ClusterOutcome& outcome : outcomes) {
    if (!outcome.clean || outcome.cluster == nullptr) continue;
    const std::string path = folder + "/" + outcome.name + ".source-map.json";
    if (!console.save(path, report::source_map(*outcome.cluster))) return false;
  }
  return true;
}

struct Finish {
  const RenderOptions& options;
  workflow::OpenProject& open;
  const std::vector<ClusterOutcome>& outcomes;
  const workflow::FindingsOfClusters& of_clusters;
  const std::string& output;
  const std::string& shown;  // the output folder before a file's path, as in reports
  Console& console;

  // Each stale file is a finding in all formats but text, which has its diff.
  void show(RunReport& report, Task task) const {
    if (task != Task::Check) return console.show(report.findings(), options.to_stdout || options.list);
    const bool has_diffs = options.common.format == Format::Text;
    if (has_diffs) console.show_beside(report.findings().all());
    report.add_stale_files(outcomes, shown, output);
    if (has_diffs) console.write_reports(report.findings().all());
    else console.show(report.findings());
  }

  int operator()(Task task) const {
    RunReport report(open, outcomes, of_clusters);
    const std::string counted =
        report::summary(report.findings().count(Severity::Error), report.findings().count(Severity::Warning));
    int code = exit_code(report.findings());
    show(report, task);
    if (options.to_stdout) print_stream(outcomes, console);
    if (options.list) print_list(outcomes, console);
    if (task == Task::Check && !print_differences(outcomes, output, options.common.format != Format::Concise, console))
      code = std::max<int>(code, kFindings);
    if (task == Task::Check) say_what_may_be_unstaged(outcomes, output, console);
    if (task == Task::Write && options.forget_removed) say_what_was_forgotten(outcomes, console);
    if (task == Task::Write) say_what_was_written(outcomes, console);
    if (task == Task::Write) say_what_stays(outcomes, shown, console);
    if (options.exit_non_zero_on_change && has_written(outcomes)) {
      say_what_to_add(outcomes, output, console);
      code = std::max<int>(code, kFindings);
    }
    if (options.source_map && !write_source_maps(outcomes, open, output, console)) code = kUsageError;
    if (!counted.empty()) console.say(counted);
    return console.flush() ? code : kUsageError;
  }
};

Task task_of(const RenderOptions& options) {
  if (options.to_stdout || options.list) return Task::Compile;
  return options.check ? Task::Check : Task::Write;
}

void leave_out_uncommitted(std::vector<ClusterOutcome>& outcomes, workflow::OpenProject& open) {
  workflow::UncommittedFiles uncommitted(open);
  for (ClusterOutcome& outcome : outcomes) uncommitted.drop_from(outcome.differences, outcome.name);
}

int run_render(const RenderOptions& options) {
  Console console(options.common);
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = options.values,
                                            .plain = options.plain,
                                            .writes = task_of(options) != Task::Compile,
                                            .output = options.output,
                                            .upgrade_set = options.upgrade_set,
                                            .force = options.force,
                                            .forget_removed = options.forget_removed,
                                            .encrypts = !options.list || options.source_map,
                                            .reencrypt = options.reencrypt});
  const std::vector<ClusterOutcome> nothing;
  const workflow::FindingsOfClusters none(0);
  const std::string output = open->project != nullptr ? open->output_folder(options.output) : "";
  std::string shown;
  if (options.output) shown = output + "/";
  else if (open->project != nullptr && open->project->config().output != ".")
    shown = open->project->config().output + "/";
  const auto stop = [&] { return Finish{options, *open, nothing, none, output, shown, console}(Task::Compile); };
  if (open->project == nullptr) return std::max<int>(stop(), kUsageError);
  std::vector<std::string> clusters = workflow::choose_clusters(*open, options.targets);
  if (open->sink.failed()) return stop();
  if (clusters.empty() && options.targets.empty() && open->project->config().sources.empty()) {
    console.say(fmt::format("no values file found below `{}`: put one YAML or JSON file per cluster there",
                            fmt::join(open->project->config().values, "`, `")));
  }
  std::erase_if(clusters, [&](const std::string& path) { return !options.shard.has(path); });

  FleetOptions fleet;
  fleet.task = task_of(options);
  fleet.force = options.force;
  fleet.all_or_nothing = options.all_or_nothing;
  fleet.jobs = options.jobs;
  fleet.shown = {options.common.progress, "Rendering", "clusters"};
  fleet.keep = options.to_stdout || options.list || options.source_map;
  if (options.common.verbose) fleet.diff.most_lines = 0;
  OutputTree tree(open->fs, output, shown);
  std::string no_history;
  const auto history = options.plain ? nullptr : workflow::GitHistory::open(open->files, output, no_history);
  tree.use_history(history.get());
  tree.allow(open->project->outputs());
  fleet.tree = &tree;
  const auto access = fleet.task == Task::Write ? OutputTree::Access::Write : OutputTree::Access::Read;
  const bool looks = fleet.task != Task::Compile || !options.plain;  // files of a plain folder have no generations
  if (looks && !tree.open(access, open->sink)) return stop();
  workflow::FindingsOfClusters of_clusters(clusters.size());
  const bool needs_clusters = fleet.keep || fleet.all_or_nothing;
  if (!needs_clusters)
    fleet.visit = [&](std::size_t number, ClusterOutcome& outcome) { of_clusters.take(number, outcome); };
  std::vector<ClusterOutcome> outcomes = compile_fleet(clusters, *open->project, fleet);
  if (!options.output) leave_out_uncommitted(outcomes, *open);
  if (fleet.task != Task::Compile) report_left_over(options, outcomes, tree, *open);
  if (checks_whole_tree(options)) report_submodules(open->files, output, open->sink);
  report_missing_history(outcomes, no_history, open->sink);
  if (options.targets.empty() && options.shard.count == 0) workflow::report_unused_layers(*open, clusters);
  return Finish{options, *open, outcomes, of_clusters, output, shown, console}(fleet.task);
}

class RenderCommand final : public CommandWith<RenderOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("target", options_.targets, "Clusters or values files (default: all in the repository)")
        ->type_name("CLUSTER|FILE");
    app.add_option("-o,--output", options_.output, "Folder that contains `clusters/`")->type_name("DIR");
    app.add_flag("--check", options_.check, "Write nothing; show a diff and exit with 1 if the tree is stale");
    app.add_flag("--stdout", options_.to_stdout, "Print the manifests as one YAML stream; write nothing");
    app.add_flag("--list", options_.list, "Print the paths of rendered files; write nothing");
    app.add_flag("--source-map", options_.source_map,
                 "Also write `.capwright/<cluster>.source-map.json` into the output folder");
    app.add_flag("--force", options_.force, "Overwrite files that were edited by hand or not rendered by capwright");
    app.add_flag("--all-or-nothing", options_.all_or_nothing, "Write no cluster if any of them has errors");
    app.add_flag("--exit-non-zero-on-change", options_.exit_non_zero_on_change,
                 "Exit with 1 if a file was written or deleted, as a hook needs");
    app.add_flag("--reencrypt", options_.reencrypt,
                 "Encrypt all secrets again, even if they are unchanged or can't be decrypted here");
    app.add_flag("--upgrade-set", options_.upgrade_set,
                 "Use this capwright's version of the template set; can replace machines");
    app.add_flag("--forget-removed", options_.forget_removed,
                 "Drop the removed objects from `00-removed.yaml`, after Argo CD has deleted them");
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to render in parallel")->type_name("N");
    add_shard(app, options_.shard);
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common);
  }
  int run() override { return run_render(options_); }

 protected:
  std::string contradiction() const override {
    std::vector<std::string_view> modes;
    if (options_.check) modes.push_back("--check");
    if (options_.to_stdout) modes.push_back("--stdout");
    if (options_.list) modes.push_back("--list");
    if (modes.size() > 1) return fmt::format("`{}` and `{}` exclude each other", modes[0], modes[1]);
    if (options_.forget_removed && !modes.empty())
      return fmt::format("`--forget-removed` changes files, but `{}` writes none", modes[0]);
    if (options_.source_map && (options_.check || options_.list))
      return fmt::format("`--source-map` writes files, but `{}` writes none", modes[0]);
    if (options_.exit_non_zero_on_change && !modes.empty())
      return fmt::format("`--exit-non-zero-on-change` needs a run that writes, but `{}` writes none", modes[0]);
    return {};
  }
};

}  // namespace

const CommandInfo render_command{
    "render",
    "Render clusters into the output folder",
    make_command<RenderCommand>,
    {{"Render all clusters into `clusters/`", "capwright render"},
     {"Fail in CI if the committed tree is stale", "capwright render --check"},
     {"Try a value without changing a file", "capwright render prod-a --set control_plane_count=5 --stdout"}}};

}  // namespace capwright::cli
