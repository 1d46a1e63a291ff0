// `capwright explain`: the page of a diagnostic, the origin of a line in a rendered file, or what a value makes.
#include "pipeline/explain.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/explain_options.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/catalog.h"
#include "diag/suggest.h"
#include "files/output_tree.h"
#include "lint/engine/rules.h"
#include "pipeline/compile_cluster.h"
#include "report/explanation.h"
#include "report/text.h"
#include "workflow/diagnostic_pages.h"
#include "workflow/lint_rules.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

std::optional<std::uint32_t> take_number(std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size()) return std::nullopt;
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  text.resize(colon);
  return number;
}

constexpr std::uint32_t kLongestRange = 1000;  // lines; the rest of a longer one isn't explained

// `a.yaml:18-20`
std::optional<ExplainTarget> parse_range(std::string text) {
  const std::size_t dash = text.rfind('-');
  if (dash == std::string::npos) return std::nullopt;
  std::string last = ":" + text.substr(dash + 1);
  text.resize(dash);
  const auto to = take_number(last), from = take_number(text);
  if (!from || !to || *from > *to) return std::nullopt;
  return ExplainTarget{std::move(text), from, 0, std::min(*to, *from + kLongestRange - 1)};
}

ExplainTarget parse_target(const std::string& text) {
  if (const auto range = parse_range(text)) return *range;
  ExplainTarget target{text, std::nullopt, 0};
  const std::optional<std::uint32_t> last = take_number(target.path);
  if (!last) return target;
  const std::optional<std::uint32_t> before = take_number(target.path);
  target.line = before ? before : last;
  if (before) target.column = *last;
  return target;
}

// The path from the output folder: `clusters/<name>/…` at any place in the path, because a rendered file may be named
// from any folder, including its own; or a file that `template.outputs` allows.
std::string named_file(const std::string& typed, const Project& project) {
  const Workspace& workspace = project.workspace();
  const std::string shown = workspace.shown_path(typed);
  if (!project.owner_of_output(shown).empty()) {
    const std::string& output = project.config().output;
    return output == "." ? shown : shown.substr(output.size() + 1);
  }
  for (const std::string& path : {std::filesystem::path(typed).lexically_normal().string(), shown}) {
    if (const std::size_t at = path.rfind("clusters/"); at != std::string::npos) return path.substr(at);
  }
  return typed;
}

// "T12", "g102", "CAP9999": meant as a diagnostic, even if it doesn't exist.
bool looks_like_code(std::string_view text, std::size_t most_letters = 8) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digits = std::find_if_not(text.begin(), text.end(), is_letter);
  const auto letters = static_cast<std::size_t>(digits - text.begin());
  return letters != 0 && letters <= most_letters && digits != text.end() && text.size() <= letters + 6 &&
         std::all_of(digits, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
bool looks_like_short_code(std::string_view text) { return text.size() < 5 && looks_like_code(text, 1); }

// The format of codes: a capital letter and three digits.
std::string as_code(std::string_view text) {
  std::string code(text);
  if (code[0] >= 'a') code[0] = static_cast<char>(code[0] - ('a' - 'A'));
  if (code.size() < 4) code.insert(1, 4 - code.size(), '0');
  return code;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

// Ignores case: `cap401`, `Even-Control-Plane`.
const lint::Rule* rule_of(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  if (const lint::Rule* rule = lint::find_rule(text)) return rule;
  return lint::find_rule(upper_case(text));
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// An error for a place that doesn't exist; otherwise empty.
std::string misplaced(const ExplainTarget& target, std::string_view path, std::span<const ExplainedLine> lines) {
  if (target.line && *target.line == 0) return "lines are counted from 1";
  if (lines.empty()) return fmt::format("`{}` has no line {}", path, target.line.value_or(1));
  const std::size_t columns = code_points(lines.front().text);
  if (target.line && target.column > columns)
    return fmt::format("line {} of `{}` has {} columns, not {}", *target.line, path, columns, target.column);
  return {};
}

// Warns that the lines come from a new render when the file on disk differs from it. `named` is the path that was
// typed.
void tell_if_stale(const RenderedFile& file, const std::string& named, const std::string& folder,
                   workflow::OpenProject& open, const Console& console) {
  if (file.secret) return;
  const Workspace& workspace = open.project->workspace();
  const std::string in_tree = folder + "/" + file.path;
  const bool is_in_tree = std::filesystem::path(named).lexically_normal() == file.path ||
                          workspace.shown_path(named) == workspace.shown_path(in_tree);
  std::string on_disk;
  const bool is_read = !open.fs.read(is_in_tree ? in_tree : named, on_disk, open.limits.input_bytes);
  if (is_read ? on_disk == file.body.text() : is_in_tree) return;
  if (is_in_tree) {
    console.say(
        fmt::format("`{}` on disk differs from the current render, which is explained here; `capwright render --check` "
                    "shows the difference",
                    file.path));
    return;
  }
  console.say(
      fmt::format("`{}` {} the current render of this repository, which is explained here; for a render into "
                  "another folder, repeat its options, such as `-o DIR` and `--values`",
                  named, is_read ? "differs from" : "can't be read: it isn't compared with"));
}

std::string_view cluster_in(std::string_view path, const Outputs& outputs) {
  constexpr std::string_view kClusters = "clusters/";
  if (!path.starts_with(kClusters)) return outputs.owner(path);
  const std::string_view rest = path.substr(kClusters.size());
  return rest.substr(0, rest.find('/'));
}

// The cluster with this name. Files usually have the names of their clusters; if none has it, compiles all.
std::unique_ptr<CompiledCluster> compile_named(std::string_view name, workflow::OpenProject& open,
                                               const OutputTree& tree) {
  std::vector<std::string> paths = workflow::choose_clusters(open, {});
  std::stable_partition(paths.begin(), paths.end(),
                        [&](const std::string& path) { return cluster_stem(path) == name; });
  for (const std::string& path : paths) {
    auto cluster = compile_cluster(path, *open.project, &tree, true);
    if (cluster->name == name) return cluster;
  }
  return nullptr;
}

int explain_file(const ExplainOptions& options, const ExplainTarget& target, Console& console) {
  // Explains a line as this version of capwright renders it, whatever rendered the tree.
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = options.values,
                                            .plain = options.plain,
                                            .writes = false,
                                            .output = options.output,
                                            .upgrade_set = true});
  if (open->project == nullptr) return show_faults(*open, console);
  const std::string path = named_file(target.path, *open->project);
  OutputTree tree(open->fs, open->output_folder(options.output), "");
  if (!tree.open(OutputTree::Access::Read, open->sink)) return show_faults(*open, console);
  const auto cluster = compile_named(cluster_in(path, open->project->outputs()), *open, tree);
  if (cluster == nullptr) {
    console.fail(fmt::format("`{}` is neither the code of a diagnostic nor a file of a cluster in this repository",
                             options.target));
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
  std::vector<ExplainedLine> lines = explain_lines(*cluster, *file, target.line);
  for (std::uint32_t line = target.line.value_or(0) + 1; line <= target.last_line.value_or(0); ++line) {
    std::vector<ExplainedLine> more = explain_lines(*cluster, *file, line);
    if (more.empty()) break;  // the end of the file
    std::ranges::move(more, std::back_inserter(lines));
  }
  if (const std::string why = misplaced(target, path, lines); !why.empty()) {
    console.fail(why);
    return kUsageError;
  }
  tell_if_stale(*file, target.path, open->output_folder(options.output), *open, console);
  if (file->secret && cluster->secret_form.name == "sops")
    console.say(fmt::format("`{}` is encrypted as a whole; lines are counted before encryption", path));
  console.print(options.common.format == Format::Json
                    ? report::explanation_json(*cluster, path, lines, target.column)
                    : report::explanation_text(*cluster, path, lines, target.column, console.color()));
  return console.finish();
}

// The page of a rule or another diagnostic, if one is meant.
std::optional<std::string> page_of(const ExplainOptions& options) {
  if (const lint::Rule* rule = rule_of(options.target)) return workflow::rule_page(*rule);
  const bool is_code = looks_like_short_code(options.target);
  if (const DiagInfo* info = diag::find(is_code ? as_code(options.target) : options.target))
    return workflow::diagnostic_page(*info);
  const bool may_be_file = options.target.find('/') != std::string::npos;
  return may_be_file ? std::nullopt : workflow::own_rule_page(options.common, options.target);
}

// The nearest codes, and where to find all.
std::string help_for_code(const std::string& typed) {
  const std::string code = looks_like_short_code(typed) ? as_code(typed) : upper_case(typed);
  std::vector<std::string_view> codes;
  const auto add = [&](std::string_view known) {
    if (known.size() == code.size()) codes.push_back(known);  // `CAP9999` isn't meant as `CAP999`
  };
  for (const DiagInfo* info : diag::all()) add(info->code);
  for (const lint::Rule* rule : lint::all_rules()) add(rule->code);
  const std::string suggestion = did_you_mean(code, codes);
  return fmt::format("{}{}`capwright rules` lists the rules; docs/diagnostics.md describes all other codes", suggestion,
                     suggestion.empty() ? "" : " ");
}

int run_explain(const ExplainOptions& options) {
  Console console(options.common);
  if (const std::optional<std::string> page = page_of(options)) {
    const bool is_text = options.common.format == Format::Text && options.common.report_files.empty();
    if (!is_text) {
      console.fail(fmt::format("`capwright explain {}` prints only text; remove `--format`", options.target));
      return kUsageError;
    }
    return console.finish(*page);
  }
  if (looks_like_code(options.target)) {
    console.fail(fmt::format("unknown diagnostic `{}`\nhelp: {}", options.target, help_for_code(options.target)));
    return kUsageError;
  }
  const ExplainTarget target = parse_target(options.target);
  if (const std::optional<int> code = explain_values(options, target, console)) return *code;
  if (options.cluster) {
    console.fail(fmt::format("`{}` is neither a key of values nor a file that sets values", options.target));
    return kUsageError;
  }
  return explain_file(options, target, console);
}

class ExplainCommand final : public CommandWith<ExplainOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("target", options_.target,
                   "Code of a diagnostic, place in a rendered file, line of a values file or layer, or key of values")
        ->type_name("CODE|FILE[:LINE[-LINE|:COLUMN]]|KEY")
        ->required();
    app.add_option("--cluster", options_.cluster, "Cluster whose values to explain")->type_name("CLUSTER|FILE");
    app.add_option("-o,--output", options_.output, "Folder that contains `clusters/`")->type_name("DIR");
    add_values(app, options_.values);
    add_plain_templates(app, plain_);
    add_common(app, options_.common, {"text", "concise", "json"});
  }
  int run() override { return run_explain(options_); }
};

}  // namespace

const CommandInfo explain_command{
    "explain",
    "Explain a rendered line, a value or a diagnostic",
    make_command<ExplainCommand>,
    {{"Show what made line 12 of a rendered file", "capwright explain clusters/prod-a/cluster.yaml:12"},
     {"Show what a value makes, and which file sets it", "capwright explain network.node_cidr --cluster prod-a"},
     {"Describe a diagnostic or a rule", "capwright explain S012"}}};

}  // namespace capwright::cli
