// The commands and flags of capwright, as CLI11 reads them (the only file that includes it).
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "cli/contradictions.h"
#include "cli/usage_message.h"
#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "report/formats.h"
#include "schema/format.h"

namespace capwright::cli {
namespace {

constexpr int kUsageError = 2;

// There are hundreds of options: `add` makes those of a command once it is the one that is called.
template <class Add>
CLI::App* add_command(CLI::App& app, const char* name, const char* help, Add add) {
  CLI::App* command = app.add_subcommand(name, help);
  command->preparse_callback([command, add](std::size_t) { add(*command); });
  return command;
}

// An option that takes one of a few words, in any case of letters.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& target,
                        const std::vector<std::pair<std::string_view, T>>& choices, const char* help) {
  const auto choose = [name, &target, choices](const std::string& given) {
    std::vector<std::string_view> words;
    for (const auto& [word, value] : choices) {
      words.push_back(word);
      if (CLI::detail::to_lower(given) != word) continue;
      target = value;
      return;
    }
    const std::string suggestion = did_you_mean(given, words);
    throw CLI::ValidationError(fmt::format("`{}` takes {}, not `{}`{}{}", name.substr(name.find("--")),
                                           list_names(words), given, suggestion.empty() ? "" : "; ", suggestion));
  };
  return app.add_option_function<std::string>(name, choose, help);
}

// What was asked for already at the place where another form is to go; each place has one. Else nothing.
std::string form_at_same_place(const std::vector<std::string>& all, const std::string& given) {
  const auto place = [](const std::string& format) {
    const std::size_t equals = format.find('=');
    return equals == std::string::npos ? std::string() : format.substr(equals + 1);
  };
  for (const std::string& other : all) {
    if (other != given && place(other) == place(given)) return other;
  }
  return {};
}

// `-f FORM` for the terminal, once, and `-f FORM=FILE` for files, as many as there are.
void add_format(CLI::App& app, CommonOptions& common) {
  const auto choose = [&common](const std::string& given) {
    const std::size_t equals = given.find('=');
    const std::string form = CLI::detail::to_lower(given.substr(0, equals));
    std::vector<std::string_view> words{"text", "concise"};
    for (const report::ReportForm& known : report::report_forms()) words.push_back(known.name);
    if (std::find(words.begin(), words.end(), form) == words.end()) {
      const std::string suggestion = did_you_mean(form, words);
      throw CLI::ValidationError(fmt::format("`--format` takes {}, not `{}`{}{}", list_names(words, words.size()),
                                             given, suggestion.empty() ? "" : "; ", suggestion));
    }
    if (equals == std::string::npos) {
      common.form = form;
      common.format = form == "text"      ? Format::Text
                      : form == "concise" ? Format::Concise
                      : form == "json"    ? Format::Json
                                          : Format::Other;
    } else if (equals + 1 == given.size()) {
      throw CLI::ValidationError(fmt::format("`--format {}` names no file", given));
    } else {
      common.report_files.push_back({form, given.substr(equals + 1)});
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "-f,--format",
         [choose](const std::vector<std::string>& all) {
           std::for_each(all.begin(), all.end(), choose);
           for (const std::string& given : all) {
             const std::string other = form_at_same_place(all, given);
             if (other.empty()) continue;
             throw CLI::ValidationError(fmt::format(
                 "`--format {}` and `--format {}` go to one place; `--format FORM=FILE` writes another file", given,
                 other));
           }
         },
         "How findings are printed: text, concise or a form for programs; FORM=FILE writes them to a file as well")
      ->type_name("FORM[=FILE]")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_common_but_format(CLI::App& app, CommonOptions& common) {
  app.add_option("--config", common.config, "Read this capwright.yaml instead of searching for one")->type_name("FILE");
  app.add_flag("--isolated", common.isolated, "Ignore every capwright.yaml");
  app.add_flag("--allow-outside", common.allow_outside,
               "Follow paths and links out of the repository; only for changes that you trust");
  add_choice<ColorMode>(app, "--color", common.color,
                        {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}},
                        "Color in messages (NO_COLOR turns it off)")
      ->type_name("auto|always|never");
  app.add_flag("-q,--quiet", common.quiet, "Print findings only");
  app.add_flag("-v,--verbose", common.verbose, "Say more about what is done");
}

void add_common(CLI::App& app, CommonOptions& common) {
  add_format(app, common);
  add_common_but_format(app, common);
}

void add_values(CLI::App& app, ValueOptions& values) {
  app.add_option("--values", values.files,
                 "A values file above the cluster's own, `-` for standard input; may be repeated")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
  // One vector for both, since their order counts.
  const auto set = [&](const char* name, bool as_string, const char* help) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&values, as_string](const std::vector<std::string>& all) {
             for (const std::string& one : all) values.sets.push_back({one, as_string});
           },
           help)
        ->type_name("PATH=VALUE")
        ->trigger_on_parse()
        ->allow_extra_args(false);
  };
  set("--set", false, "Set one value above all layers; the value is read as YAML");
  set("--set-string", true, "Set one value as a string");
}

void add_plain_templates(CLI::App& app, PlainTemplates& plain) {
  auto* folder = app.add_option("--template-dir", plain.folder, "Render this folder of Jinja2 templates as it stands");
  folder->type_name("DIR");
  app.add_option("--main", plain.main, "The template to render, in --template-dir")->type_name("FILE")->needs(folder);
  app.add_option("--schema", plain.schema, "The JSON Schema of its values")->type_name("FILE")->needs(folder);
  app.add_option("--jinja", plain.jinja, "Jinja2 options that are on, such as trim_blocks,lstrip_blocks")
      ->type_name("OPTIONS")
      ->delimiter(',')
      ->needs(folder)
      ->allow_extra_args(false);
}

void add_render(CLI::App& app, RenderOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets, "Clusters or values files; all of the repository by default")
      ->type_name("CLUSTER|FILE");
  app.add_option("-o,--output", options.output, "The folder that holds `clusters/`")->type_name("DIR");
  app.add_flag("--check", options.check, "Write nothing; exit 1 and show a diff when the tree is stale");
  app.add_flag("--stdout", options.to_stdout, "Print the manifests as one YAML stream, write nothing");
  app.add_flag("--list", options.list, "Print the paths that would be rendered, write nothing");
  app.add_flag("--source-map", options.source_map,
               "Also write `.capwright/<cluster>.source-map.json` in the output folder");
  app.add_flag("--force", options.force, "Overwrite files that were edited by hand or belong to somebody else");
  app.add_flag("--all-or-nothing", options.all_or_nothing, "Write no cluster when one of them has errors");
  app.add_flag("--reencrypt", options.reencrypt,
               "Encrypt secrets anew, also where the tree has them or nobody here can decrypt them");
  app.add_flag("--upgrade-set", options.upgrade_set,
               "Go on with this capwright's version of the template set; machines may be replaced");
  app.add_flag("--forget-removed", options.forget_removed,
               "Drop the list of removed objects in `00-removed.yaml`; Argo CD has deleted them");
  app.add_option("-j,--jobs", options.jobs, "How many clusters are rendered at a time")->type_name("N");
  app.add_option_function<std::string>(
         "--shard",
         [&options](const std::string& text) {
           char slash = 0;
           std::istringstream in(text);
           in >> options.shard >> slash >> options.shards;
           if (!in || slash != '/' || !in.eof() || options.shard == 0 || options.shard > options.shards) {
             throw CLI::ValidationError("--shard", "write it as `2/5`: the second of five parts");
           }
         },
         "Only this part of the fleet, chosen by a hash of the names")
      ->type_name("I/N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_explain(CLI::App& app, ExplainOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.target,
                 "A diagnostic's code, or FILE, FILE:LINE or FILE:LINE:COLUMN of a rendered file")
      ->type_name("CODE|FILE[:LINE[:COLUMN]]")
      ->required();
  app.add_option("-o,--output", options.output, "The folder that holds `clusters/`")->type_name("DIR");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_schema_add(CLI::App& app, SchemaAddOptions& options) {
  CLI::App* command = app.add_subcommand("add", "Keep what CRDs say as digests, to check manifests against");
  command
      ->add_option("input", options.inputs,
                   "Files of CRDs, folders of such files, or `-`; other objects in them are passed over")
      ->type_name("FILE|DIR|-")
      ->required();
  command->add_option("--release", options.release, "The release that they are of; a folder's name by default")
      ->type_name("NAME-vVERSION");
  command->add_option("--to", options.to, "The folder of all releases; the repository's `schemas/crds` by default")
      ->type_name("DIR");
  add_common(*command, options.common);
}

void add_addons(CLI::App& app, AddonsOptions& options) {
  using Task = AddonsOptions::Task;
  app.require_subcommand(1);
  const auto task = [&](const char* name, Task which, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->callback([&options, which] { options.task = which; });
    if (which != Task::HealthSnippet) add_common(*command, options.common);
    if (which == Task::Show || which == Task::Defaults)
      command->add_option("id", options.id, "The add-on")->type_name("ID")->required();
    return command;
  };
  const auto cluster = [&](CLI::App& command, const char* help) {
    add_values(command, options.values);
    return command.add_option("--cluster", options.cluster, help)->type_name("CLUSTER|FILE");
  };
  CLI::App* list = task("list", Task::List, "The add-ons that values may name");
  cluster(*list, "Say which of them this cluster has, which it could have, and why not the others");
  task("show", Task::Show, "What the catalogue knows of one");
  CLI::App* defaults = task("defaults", Task::Defaults, "The chart values that a cluster's values lead to");
  cluster(*defaults, "The cluster that they are for")->required();
  task("health-snippet", Task::HealthSnippet, "What makes Argo CD wait between waves, for its ConfigMap argocd-cm");
}

void add_eject(CLI::App& app, EjectOptions& options) {
  app.add_option("set", options.set, "The template set")->type_name("SET");
  app.add_option("folder", options.folder, "Where to; the set's folder in the repository's `templates` by default")
      ->type_name("DIR");
  app.add_flag("--list", options.list, "Print the built-in sets, write nothing");
  app.add_flag("--force", options.force, "Replace files of the same names");
  add_common(app, options.common);
}

void add_fail_level(CLI::App& app, Severity& level) {
  add_choice<Severity>(
      app, "--fail-level", level,
      {{"error", Severity::Error}, {"warning", Severity::Warning}, {"note", Severity::Note}, {"info", Severity::Note}},
      "The least severe finding that makes the exit code 1; warning by default")
      ->type_name("error|warning|note");
}

void add_lint(CLI::App& app, LintOptions& options, PlainTemplates& plain) {
  app.add_option(
         "target", options.targets,
         "Clusters, values files, manifests, templates, folders of them, or `-`; the whole repository by default")
      ->type_name("CLUSTER|FILE|DIR|-");
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    app.add_option(name, target, help)
        ->type_name("CODE[,CODE]")
        ->delimiter(',')
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  };
  list("--select", options.select, "Only these rules: codes such as CAP401, beginnings such as CAP4 or K, names");
  list("--ignore", options.ignore, "All but these rules; an error of a render can't be ignored");
  add_choice<lint::Blame>(
      app, "--blame", options.blame,
      {{"value", lint::Blame::Value}, {"template", lint::Blame::Template}, {"rendered", lint::Blame::Rendered}},
      "The place that a finding shows first")
      ->type_name("value|template|rendered");
  add_fail_level(app, options.fail_level);
  app.add_flag("--exit-zero", options.exit_zero, "Exit with 0 whatever is found");
  app.add_flag("--statistics", options.statistics,
               "Print how often each rule found something, instead of the findings, as text or JSON");
  app.add_flag("--show-files", options.show_files, "List the files that are looked at, and do nothing else");
  app.add_option("--stdin-filename", options.stdin_filename,
                 "The file that `-` is the text of, such as one that is open in an editor")
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--as-of",
         [&options](const std::string& date) {
           if (!schema::matches_format(date, schema::Format::Date))
             throw CLI::ValidationError(fmt::format("`--as-of` takes a date such as `2026-08-22`, not `{}`", date));
           options.as_of = date;
         },
         "The date that support and suppressions are judged by; the catalogue's by default")
      ->type_name("YYYY-MM-DD");
  app.add_option("--baseline", options.baseline, "Findings that this file lists don't count")->type_name("FILE");
  app.add_flag("--write-baseline")
      ->description("Write what is found into the baseline, or into FILE; it doesn't count from then on")
      ->type_name("[=FILE]")
      ->each([&options](const std::string& file) { options.write_baseline = file == "true" ? "" : file; });
  app.add_option("--new-from-rev", options.new_from_rev,
                 "Only findings on lines that were added or changed since this revision of git")
      ->type_name("REV");
  app.add_flag("--merge-base", options.merge_base, "With `--new-from-rev REV`: since HEAD and REV parted");
  app.add_flag("--fix", options.fix, "Mend what has one right text, in values, templates and manifests");
  app.add_flag("--unsafe-fixes", options.unsafe_fixes, "The same, and what has one that is most likely meant");
  app.add_flag("--diff", options.diff, "Print what fixes would change, write nothing; exit 1 if there is something");
  app.add_option("-j,--jobs", options.jobs, "How many clusters are linted at a time")->type_name("N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_graph(CLI::App& app, GraphOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets,
                 "Clusters, values files, manifests, folders of manifests, or `-`; the whole repository by default")
      ->type_name("CLUSTER|FILE|DIR|-");
  add_choice<GraphForm>(
      app, "-f,--format", options.form,
      {{"text", GraphForm::Text}, {"dot", GraphForm::Dot}, {"mermaid", GraphForm::Mermaid}, {"json", GraphForm::Json}},
      "Trees for people, or a graph for Graphviz, Mermaid or other programs; text by default")
      ->type_name("text|dot|mermaid|json");
  app.add_option("--stdin-filename", options.stdin_filename, "The file that `-` is the text of")->type_name("FILE");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common_but_format(app, options.common);
}

void add_leftovers(CLI::App& app, LeftoversOptions& options) {
  app.add_option("file", options.files, "Output of `kubectl get -o json`; `-`, the default, is standard input")
      ->type_name("FILE|-");
  app.add_option("-o,--output", options.output, "The folder that holds `clusters/`")->type_name("DIR");
  app.add_flag("--command", options.print_command, "Print the kubectl command whose output this command reads");
  app.add_flag("--untracked", options.untracked, "Include clusters that neither Argo CD nor Flux applied");
  add_common(app, options.common);
}

void add_rules(CLI::App& app, RulesOptions& options) {
  CLI::App* test = app.add_subcommand("test", "Hold rules of the repository's own to their examples");
  test->add_option("file", options.files, "Files of rules; those of `lint.rules` by default")->type_name("FILE");
  test->callback([&options] { options.test = true; });
  add_common(app, options.common);
  add_common(*test, options.common);
}

// What `diff` and `plan` compare.
void add_sides(CLI::App& app, ComparisonOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets,
                 "Clusters or values files, all of the repository by default; or two folders, the one before first")
      ->type_name("CLUSTER|FILE|DIR DIR");
  app.add_option("-o,--output", options.output, "The folder that holds `clusters/`, to compare with")->type_name("DIR");
  app.add_option("--base", options.base,
                 "Compare with what the repository rendered to in this revision of git, or renders to in this checkout")
      ->type_name("REV|DIR");
  app.add_flag("--merge-base", options.merge_base,
               "With `--base REV`: as it was where HEAD and REV parted, so that what came to REV since doesn't count");
  app.add_flag("--upgrade-set", options.upgrade_set, "Render with this capwright's version of the template set");
  app.add_option("-j,--jobs", options.jobs, "How many clusters are compared at a time")->type_name("N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& target, const char* help) {
  return app.add_option(name, target, help)->take_all()->allow_extra_args(false);
}

void add_budget(CLI::App& app, std::size_t& budget) {
  app.add_option("--budget", budget, "The most bytes of Markdown; what is most severe comes first")->type_name("BYTES");
}

void add_diff(CLI::App& app, DiffOptions& options, PlainTemplates& plain) {
  add_choice<bool>(app, "--by", options.by_cluster, {{"shape", false}, {"cluster", true}},
                   "What the text is ordered by; what clusters have in common is said once by default")
      ->type_name("shape|cluster");
  app.add_flag("--text", options.text, "Print the lines that differ, as `diff -u` does, with secrets covered");
  add_list(app, "--ignore-path", options.ignore_paths, "Leave out what is at this path; may be repeated")
      ->type_name("[KIND[/NAME]:]PATH");
  add_list(app, "--ignore-profile", options.ignore_profiles,
           "Leave out fields that these write: argocd, server and others")
      ->type_name("NAME")
      ->delimiter(',');
  add_budget(app, options.budget);
  app.add_flag("--exit-zero", options.exit_zero, "Exit with 0 also when there are differences");
  app.add_flag("--detailed-exitcode", options.detailed_exitcode,
               "Exit with 0 without differences, 1 after an error, 2 with differences");
  add_sides(app, options, plain);
  app.get_option("--format")->description("How it is printed: text, json or markdown, also to FORM=FILE");
}

// What must not happen to machines.
template <class Options>
void add_gate(CLI::App& app, Options& options) {
  const char* words =
      "Exit with 1 if this happens: any, delete, rejected, unknown, roll-control-plane, sync-add-on and others";
  add_list(app, "--fail-on", options.fail_on, words)->type_name("VERB[-TARGET]")->delimiter(',');
  app.add_option("--max-roll", options.max_roll, "Exit with 1 if more machines are replaced, such as `20` or `5%`")
      ->type_name("N|N%");
  add_list(app, "--allow-delete", options.allow_delete, "A cluster that may be deleted; may be repeated")
      ->type_name("CLUSTER")
      ->delimiter(',');
}

void add_plan(CLI::App& app, PlanOptions& options, PlainTemplates& plain) {
  add_gate(app, options);
  add_choice<bool>(app, "--by", options.by_cluster, {{"action", false}, {"cluster", true}},
                   "What the text is ordered by; what clusters have in common is said once by default")
      ->type_name("action|cluster");
  add_fail_level(app, options.fail_level);
  add_budget(app, options.budget);
  add_sides(app, options, plain);
  app.get_option("--format")->description("How it is printed: text, json, markdown or github, also to FORM=FILE");
}

void add_publish(CLI::App& app, PublishOptions& options) {
  publish::Options& steps = options.steps;
  std::vector<std::pair<std::string_view, std::optional<publish::Step>>> ids;
  for (const publish::StepInfo& step : publish::steps()) ids.emplace_back(step.id, step.step);
  app.add_flag("--dry-run", steps.choice.dry_run, "Print the steps and what would change, change nothing");
  app.add_flag("-y,--yes", steps.yes, "Don't ask");
  app.add_flag("--restart", steps.restart, "Forget what an interrupted run has done");
  CLI::Option* only = add_choice(app, "--step", steps.choice.only, ids, "This step alone, with what it needs");
  add_choice(app, "--from-step", steps.choice.from, ids, "This step and those behind it, with what they need")
      ->excludes(only)
      ->type_name("STEP");
  only->type_name("STEP");
  app.add_flag("--break-lock", steps.break_lock, "Take the lock of somebody else, whose run is dead");
  app.add_option("--wait", steps.wait_seconds, "How long to wait for it instead; `publish.lock.wait` by default")
      ->type_name("SECONDS");
  app.add_flag("--auto-commit", steps.auto_commit, "Commit what is not committed first");
  app.add_flag("--confirm-commit", steps.confirm_commit, "The same, after asking on a terminal");
  app.add_flag("--run-hooks", steps.run_hooks, "Run commit-msg and pre-push of this clone, by the program `git`");
  app.add_option("--token-env", options.token_env, "The environment variable that has the token of Gitea's API")
      ->type_name("NAME");
  app.add_option("--token-file", options.token_file, "The file that has it instead")->type_name("FILE");
  app.add_flag("--force", options.force, "Replace files of the branch that were edited there");
  app.add_flag("--prune", options.prune, "Remove folders of clusters that have no values any more");
  add_gate(app, options);
  app.add_option("-j,--jobs", options.jobs, "How many clusters are rendered at a time")->type_name("N");
  add_common(app, options.common);
}

void add_remap(CLI::App& app, RemapOptions& options, PlainTemplates& plain) {
  app.add_option("report", options.file,
                 "What the tool wrote about the rendered tree; `-`, the default, is standard input")
      ->type_name("FILE|-");
  add_choice<ReportKind>(app, "--from", options.from,
                         {{"kubeconform-json", ReportKind::Kubeconform}, {"sarif", ReportKind::Sarif}},
                         "The form of the report")
      ->type_name("kubeconform-json|sarif")
      ->required();
  app.add_option("-o,--output", options.output, "The folder that holds `clusters/`")->type_name("DIR");
  add_choice<lint::Blame>(
      app, "--blame", options.blame,
      {{"value", lint::Blame::Value}, {"template", lint::Blame::Template}, {"rendered", lint::Blame::Rendered}},
      "The place that a finding shows first")
      ->type_name("value|template|rendered");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_test(CLI::App& app, TestOptions& options) {
  app.add_option("case,--case", options.cases, "Cases or sets of them, such as capo/minimal; all by default")
      ->type_name("SET/CASE");
  app.add_flag("--update", options.update, "Keep what is rendered now, and say what changed");
  app.add_flag("--force", options.force, "Update even where CI is set");
  app.add_option("-j,--jobs", options.jobs, "How many cases are rendered at a time")->type_name("N");
  add_common(app, options.common);
  app.get_option("--format")->description("How they are printed: text, json or junit, also to FORM=FILE");
}

void add_cmp(CLI::App& app, CmpOptions& options) {
  app.require_subcommand(1);
  CLI::App* generate = app.add_subcommand("generate", "Print the manifests of an Application, as the plugin has to");
  generate->add_flag("--allow-empty", options.allow_empty, "No manifest at all is no error");
  add_common(*generate, options.common);
  CLI::App* plugin = app.add_subcommand("plugin-yaml", "Print the plugin.yaml of the sidecar");
  plugin->callback([&options] { options.task = CmpOptions::Task::PluginYaml; });
}

void add_audit(CLI::App& app, AuditOptions& options) {
  using Task = AuditOptions::Task;
  app.require_subcommand(1);
  const auto add = [&](const char* name, Task task, const char* help) {
    CLI::App* command = app.add_subcommand(name, help);
    command->callback([&options, task] { options.task = task; });
    add_common(*command, options.common);
    return command;
  };
  CLI::App* list = add("list", Task::List, "List them, newest first");
  list->add_option("cluster", options.targets, "Of these clusters only")->type_name("CLUSTER");
  list->add_option("-n,--most", options.most, "How many; 0 for all")->type_name("N");
  CLI::App* show = add("show", Task::Show, "Print all that a row has");
  show->add_option("row", options.targets, "The newest row of a cluster, or the row of an id")->type_name("CLUSTER|ID");
  CLI::App* verify = add("verify", Task::Verify, "Render what they record again, and compare");
  verify->add_option("row", options.targets, "Newest rows of clusters, or rows of ids; of all clusters by default")
      ->type_name("CLUSTER|ID");
  verify->add_flag("--any-version", options.any_version, "Also what another version of capwright has rendered");
  CLI::App* record = add("record", Task::Record, "Keep rows of a commit that was published by other means");
  record->add_option("--commit", options.revision, "The commit; HEAD by default")->type_name("REV");
  record->add_option("--remote", options.remote, "The remote that it was pushed to; origin by default");
}

int refuse(const std::string& message) {
  std::cerr << "error: " << message << "\n"
            << "`capwright --help` lists the commands, `capwright COMMAND --help` their options\n";
  return kUsageError;
}

// Or the version.
int show_help(const CLI::App& app, const CLI::ParseError& asked) {
  const int code = app.exit(asked, std::cout, std::cerr);
  if (std::cout.flush()) return code;
  std::cerr << "error: standard output can't be written\n";
  return kUsageError;
}

std::optional<PlainTemplates> given(const PlainTemplates& plain) {
  return plain.folder.empty() ? std::nullopt : std::optional(plain);
}

void add_schema_print(CLI::App& schema, SchemaPrintOptions& options) {
  CLI::App* print = schema.add_subcommand("print", "Print the schema that a template set's values must meet");
  print->add_option("--template-set", options.template_set, "The template set")->type_name("ID");
  print->add_flag("--rules", options.rules, "Print the schema of files of lint rules instead");
  add_common(*print, options.common);
}

// The commands below `schema`.
struct SchemaOptions {
  SchemaPrintOptions print;
  SchemaAddOptions add;
  SchemaListOptions list;
};

void add_schema(CLI::App& app, SchemaOptions& options) {
  app.require_subcommand(1);
  add_schema_print(app, options.print);
  add_schema_add(app, options.add);
  CLI::App* list = app.add_subcommand("list", "List the releases of providers whose kinds are known");
  add_common(*list, options.list.common);
}

Command chosen(const CLI::App& schema, const SchemaOptions& options) {
  if (schema.got_subcommand("print")) return options.print;
  if (schema.got_subcommand("add")) return options.add;
  return options.list;
}

void add_dev(CLI::App& app, DevOptions& options) {
  app.add_option("what", options.what, "jinja, cel, jsonschema, verdicts, tokens, ast, values, segments, docs or git")
      ->required();
  app.add_option("arguments", options.arguments, "What it works on");
  app.prefix_command();
}

template <class Options>
Command sound(Options& options, const PlainTemplates& plain) {
  options.plain = given(plain);
  const std::string why = contradiction(options);
  return why.empty() ? Command(options) : Finished{refuse(why)};
}

template <class Options>
Command sound(const Options& options) {
  const std::string why = contradiction(options);
  return why.empty() ? Command(options) : Finished{refuse(why)};
}

// Commands of pipelines.
struct PipelineOptions {
  CatalogueListOptions catalogue;
  TestOptions test;
  CmpOptions cmp;
  AuditOptions audit;
  PublishOptions publish;
};

void add_pipeline(CLI::App& app, PipelineOptions& options) {
  add_command(app, "catalogue", "Dated facts that rules and templates use", [&](CLI::App& catalogue) {
    catalogue.require_subcommand(1);
    add_common(*catalogue.add_subcommand("list", "List the catalogues, their dates and their sources"),
               options.catalogue.common);
  });
  add_command(app, "test", "Hold golden cases to what is rendered now",
              [&](CLI::App& test) { add_test(test, options.test); });
  add_command(app, "cmp", "Run as a config management plugin of Argo CD",
              [&](CLI::App& cmp) { add_cmp(cmp, options.cmp); });
  add_command(app, "audit", "The rows that are kept of what was published",
              [&](CLI::App& audit) { add_audit(audit, options.audit); });
  add_command(app, "publish", "Render the commit that is checked out, and push it",
              [&](CLI::App& publish) { add_publish(publish, options.publish); });
}

// Nothing: it is none of them.
std::optional<Command> chosen(const CLI::App& app, const PipelineOptions& options) {
  if (app.got_subcommand("catalogue")) return sound(options.catalogue);
  if (app.got_subcommand("test")) return sound(options.test);
  if (app.got_subcommand("cmp")) return options.cmp;
  if (app.got_subcommand("audit")) return sound(options.audit);
  if (app.got_subcommand("publish")) return options.publish;
  return std::nullopt;
}

// The commands that compare two sides.
struct Comparisons {
  DiffOptions diff;
  PlanOptions plan;
  LeftoversOptions leftovers;
  CLI::App *diff_command = nullptr, *plan_command = nullptr, *leftovers_command = nullptr;

  void add(CLI::App& app, PlainTemplates& plain) {
    diff_command = add_command(app, "diff", "Say what a render would change, or in what two folders differ",
                               [&](CLI::App& command) { add_diff(command, diff, plain); });
    plan_command = add_command(app, "plan", "Say what a change does to machines: which are replaced, and why",
                               [&](CLI::App& command) { add_plan(command, plan, plain); });
    leftovers_command =
        add_command(app, "leftovers", "List objects of the management cluster that no rendered file holds",
                    [&](CLI::App& command) { add_leftovers(command, leftovers); });
  }
  std::optional<Command> parsed(const PlainTemplates& plain) {
    if (diff_command->parsed()) return sound(diff, plain);
    if (plan_command->parsed()) return sound(plan, plain);
    if (leftovers_command->parsed()) return sound(leftovers);
    return std::nullopt;
  }
};

}  // namespace

Command parse_command_line(int argc, char** argv) {
  CLI::App app{"Render and check GitOps trees for fleets of Cluster API clusters", "capwright"};
  app.require_subcommand(1);
  RenderOptions render;
  ExplainOptions explain;
  SchemaOptions schema;
  AddonsOptions addons;
  EjectOptions eject;
  LintOptions lint;
  GraphOptions graph;
  RemapOptions remap;
  RulesOptions rules;
  Comparisons comparisons;
  PipelineOptions pipeline;
  DevOptions dev;
  PlainTemplates plain;

  const auto add = [&](const char* name, const char* help, auto add_options) {
    return add_command(app, name, help, add_options);
  };
  const CLI::App* render_command =
      add("render", "Render clusters into the tree", [&](CLI::App& command) { add_render(command, render, plain); });
  const CLI::App* explain_command = add("explain", "Say what made a rendered line, or what a diagnostic means",
                                        [&](CLI::App& command) { add_explain(command, explain, plain); });
  const CLI::App* lint_command = add("lint", "Say what is wrong with clusters, and where to mend it",
                                     [&](CLI::App& command) { add_lint(command, lint, plain); });
  const CLI::App* graph_command = add("graph", "Print which object of a cluster refers to which, and what is missing",
                                      [&](CLI::App& command) { add_graph(command, graph, plain); });
  comparisons.add(app, plain);
  const CLI::App* remap_command = add("remap", "Show other tools' findings on the tree where their cause is",
                                      [&](CLI::App& command) { add_remap(command, remap, plain); });
  const CLI::App* rules_command =
      add("rules", "List the rules of lint", [&](CLI::App& command) { add_rules(command, rules); });
  const CLI::App* schema_command = add("schema", "The schemas of values files and of manifests",
                                       [&](CLI::App& command) { add_schema(command, schema); });
  const CLI::App* addons_command =
      add("addons", "The catalogue of add-ons", [&](CLI::App& command) { add_addons(command, addons); });
  const CLI::App* eject_command = add("eject", "Take a built-in template set over, to change it",
                                      [&](CLI::App& command) { add_eject(command, eject); });
  add_pipeline(app, pipeline);
  const CLI::App* dev_command = add("dev", "Look inside: for people who work on capwright or on templates",
                                    [&](CLI::App& command) { add_dev(command, dev); });
  const CLI::App* version_command = app.add_subcommand("version", "Print version and build facts");
  app.set_version_flag("--version", "capwright " + std::string(embedded::version()));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_command(app, argc, argv);  // also with `--help`
    if (error.get_exit_code() == 0 && unknown.empty()) return Finished{show_help(app, error)};
    return Finished{refuse(unknown.empty() ? usage_message(app, error, argc, argv) : unknown)};
  }
  if (const std::string why = contradiction(render, plain); !why.empty()) return Finished{refuse(why)};
  render.plain = explain.plain = lint.plain = graph.plain = remap.plain = given(plain);
  if (render_command->parsed()) return render;
  if (lint_command->parsed()) return lint;
  if (const auto command = comparisons.parsed(plain)) return *command;
  if (graph_command->parsed()) return sound(graph);
  if (remap_command->parsed()) return remap;
  if (rules_command->parsed()) return sound(rules);
  if (explain_command->parsed()) return explain;
  if (schema_command->parsed()) return chosen(*schema_command, schema);
  if (addons_command->parsed()) return addons;
  if (eject_command->parsed()) return eject;
  if (version_command->parsed()) return VersionOptions{};
  if (const auto command = chosen(app, pipeline)) return *command;
  for (const std::string& rest : dev_command->remaining()) dev.arguments.push_back(rest);
  return dev;
}

}  // namespace capwright::cli
