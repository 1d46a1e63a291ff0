// The commands and flags of capwright, as CLI11 reads them (the only file that includes it).
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "cli/console.h"
#include "cli/contradictions.h"
#include "cli/usage_message.h"
#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "plan/gate.h"
#include "report/formats.h"
#include "schema/format.h"

namespace capwright::cli {
namespace {

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

// The form that the user already requested for the destination of `given`, or empty. A destination takes one form.
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
      throw CLI::ValidationError(fmt::format("`--format {}` has no file name", given));
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
                 "`--format {}` and `--format {}` have the same destination; use `--format FORM=FILE`", given, other));
           }
         },
         "Output format: text, concise or a machine format; FORM=FILE also writes it to a file")
      ->type_name("FORM[=FILE]")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_common_but_format(CLI::App& app, CommonOptions& common) {
  app.add_option("--config", common.config, "Use this capwright.yaml instead of searching for one")->type_name("FILE");
  app.add_flag("--isolated", common.isolated, "Ignore every capwright.yaml");
  app.add_flag("--allow-outside", common.allow_outside,
               "Follow paths and links outside the repository; only for changes that you trust");
  add_choice<ColorMode>(app, "--color", common.color,
                        {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}},
                        "Color messages (NO_COLOR turns it off)")
      ->type_name("auto|always|never");
  app.add_flag("-q,--quiet", common.quiet, "Print findings only");
  app.add_flag("-v,--verbose", common.verbose, "Print more details");
}

void add_common(CLI::App& app, CommonOptions& common) {
  add_format(app, common);
  add_common_but_format(app, common);
}

void add_values(CLI::App& app, ValueOptions& values) {
  app.add_option("--values", values.files,
                 "Add a values file above the cluster's own, `-` for standard input; can be repeated")
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
  set("--set", false, "Set one value above all layers, parsed as YAML");
  set("--set-string", true, "Set one value above all layers, as a string");
}

void add_plain_templates(CLI::App& app, PlainTemplates& plain) {
  auto* folder = app.add_option("--template-dir", plain.folder, "Render this plain folder of Jinja2 templates");
  folder->type_name("DIR");
  app.add_option("--main", plain.main, "Template to render, in --template-dir")->type_name("FILE")->needs(folder);
  app.add_option("--schema", plain.schema, "JSON Schema of the values")->type_name("FILE")->needs(folder);
  app.add_option("--jinja", plain.jinja, "Jinja2 options to turn on, such as trim_blocks,lstrip_blocks")
      ->type_name("OPTIONS")
      ->delimiter(',')
      ->needs(folder)
      ->allow_extra_args(false);
}

void add_render(CLI::App& app, RenderOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets, "Clusters or values files (default: all in the repository)")
      ->type_name("CLUSTER|FILE");
  app.add_option("-o,--output", options.output, "Folder that contains `clusters/`")->type_name("DIR");
  app.add_flag("--check", options.check, "Write nothing; show a diff and exit with 1 if the tree is stale");
  app.add_flag("--stdout", options.to_stdout, "Print the manifests as one YAML stream; write nothing");
  app.add_flag("--list", options.list, "Print the paths of rendered files; write nothing");
  app.add_flag("--source-map", options.source_map,
               "Also write `.capwright/<cluster>.source-map.json` into the output folder");
  app.add_flag("--force", options.force, "Overwrite files that were edited by hand or not rendered by capwright");
  app.add_flag("--all-or-nothing", options.all_or_nothing, "Write no cluster if any of them has errors");
  app.add_flag("--reencrypt", options.reencrypt,
               "Encrypt all secrets again, even if they are unchanged or can't be decrypted here");
  app.add_flag("--upgrade-set", options.upgrade_set,
               "Use this capwright's version of the template set; can replace machines");
  app.add_flag("--forget-removed", options.forget_removed,
               "Drop the removed objects from `00-removed.yaml`, after Argo CD has deleted them");
  app.add_option("-j,--jobs", options.jobs, "Number of clusters to render in parallel")->type_name("N");
  app.add_option_function<std::string>(
         "--shard",
         [&options](const std::string& text) {
           char slash = 0;
           std::istringstream in(text);
           in >> options.shard >> slash >> options.shards;
           if (!in || slash != '/' || !in.eof() || options.shard == 0 || options.shard > options.shards) {
             throw CLI::ValidationError("--shard", "write it as `2/5`, the second of five parts");
           }
         },
         "Process only this part of the fleet, selected by a hash of the names")
      ->type_name("I/N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_explain(CLI::App& app, ExplainOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.target,
                 "Code of a diagnostic, or FILE, FILE:LINE or FILE:LINE:COLUMN of a rendered file")
      ->type_name("CODE|FILE[:LINE[:COLUMN]]")
      ->required();
  app.add_option("-o,--output", options.output, "Folder that contains `clusters/`")->type_name("DIR");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_schema_add(CLI::App& app, SchemaAddOptions& options) {
  CLI::App* command = app.add_subcommand("add", "Store digests of CRDs to check manifests against");
  command
      ->add_option("input", options.inputs, "Files of CRDs, folders of such files, or `-`; other objects are ignored")
      ->type_name("FILE|DIR|-")
      ->required();
  command->add_option("--release", options.release, "Release of the CRDs (default: name of the folder)")
      ->type_name("NAME-vVERSION");
  command->add_option("--to", options.to, "Folder of all releases (default: the repository's `schemas/crds`)")
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
      command->add_option("id", options.id, "Add-on")->type_name("ID")->required();
    return command;
  };
  const auto cluster = [&](CLI::App& command, const char* help) {
    add_values(command, options.values);
    return command.add_option("--cluster", options.cluster, help)->type_name("CLUSTER|FILE");
  };
  CLI::App* list = task("list", Task::List, "List the add-ons that values can name");
  cluster(*list, "Show which add-ons this cluster has, which it could have, and why not the others");
  task("show", Task::Show, "Show one add-on of the catalogue");
  CLI::App* defaults = task("defaults", Task::Defaults, "Print the chart values of an add-on for a cluster");
  cluster(*defaults, "Cluster to print the values for")->required();
  task("health-snippet", Task::HealthSnippet,
       "Print the health check that makes Argo CD wait between waves, for argocd-cm");
}

void add_eject(CLI::App& app, EjectOptions& options) {
  app.add_option("set", options.set, "Template set")->type_name("SET");
  app.add_option("folder", options.folder, "Destination (default: the set's folder in the repository's `templates`)")
      ->type_name("DIR");
  app.add_flag("--list", options.list, "Print the built-in sets; write nothing");
  app.add_flag("--force", options.force, "Overwrite files with the same names");
  add_common(app, options.common);
}

void add_fail_level(CLI::App& app, Severity& level) {
  add_choice<Severity>(
      app, "--fail-level", level,
      {{"error", Severity::Error}, {"warning", Severity::Warning}, {"note", Severity::Note}, {"info", Severity::Note}},
      "Lowest severity that makes the exit code 1 (default: warning)")
      ->type_name("error|warning|note");
}

void add_lint(CLI::App& app, LintOptions& options, PlainTemplates& plain) {
  app.add_option(
         "target", options.targets,
         "Clusters, values files, manifests, templates, folders of them, or `-` (default: the whole repository)")
      ->type_name("CLUSTER|FILE|DIR|-");
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    app.add_option(name, target, help)
        ->type_name("CODE[,CODE]")
        ->delimiter(',')
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  };
  list("--select", options.select, "Check only these rules: codes (CAP401), prefixes (CAP4, K) or names");
  list("--ignore", options.ignore, "Skip these rules; errors of a render can't be skipped");
  add_choice<lint::Blame>(
      app, "--blame", options.blame,
      {{"value", lint::Blame::Value}, {"template", lint::Blame::Template}, {"rendered", lint::Blame::Rendered}},
      "Location to show first")
      ->type_name("value|template|rendered");
  add_fail_level(app, options.fail_level);
  app.add_flag("--exit-zero", options.exit_zero, "Exit with 0 even if there are findings");
  app.add_flag("--statistics", options.statistics,
               "Print the number of findings per rule instead of the findings, as text or JSON");
  app.add_flag("--show-files", options.show_files, "List the files to check, then exit");
  app.add_option("--stdin-filename", options.stdin_filename,
                 "Name of the file whose text is read from `-`, such as one that is open in an editor")
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--as-of",
         [&options](const std::string& date) {
           if (!schema::matches_format(date, schema::Format::Date))
             throw CLI::ValidationError(fmt::format("`--as-of` takes a date such as `2026-08-22`, not `{}`", date));
           options.as_of = date;
         },
         "Date for support and for the end of suppressions (default: that of the catalogue)")
      ->type_name("YYYY-MM-DD");
  app.add_option("--baseline", options.baseline, "Ignore the findings that this file lists")->type_name("FILE");
  app.add_flag("--write-baseline")
      ->description("Write all findings into the baseline, or into FILE; later runs ignore them")
      ->type_name("[=FILE]")
      ->each([&options](const std::string& file) { options.write_baseline = file == "true" ? "" : file; });
  app.add_option("--new-from-rev", options.new_from_rev,
                 "Report only findings on lines that were added or changed since this Git revision")
      ->type_name("REV");
  app.add_flag("--merge-base", options.merge_base, "With `--new-from-rev`: use the merge base with HEAD");
  app.add_flag("--fix", options.fix, "Apply fixes that have exactly one correct result");
  app.add_flag("--unsafe-fixes", options.unsafe_fixes, "Also apply fixes that are only likely to be correct");
  app.add_flag("--diff", options.diff, "Print a diff of the fixes; write nothing; exit with 1 if there are fixes");
  app.add_option("-j,--jobs", options.jobs, "Number of clusters to lint in parallel")->type_name("N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_graph(CLI::App& app, GraphOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets,
                 "Clusters, values files, manifests, folders of manifests, or `-` (default: the whole repository)")
      ->type_name("CLUSTER|FILE|DIR|-");
  add_choice<GraphForm>(
      app, "-f,--format", options.form,
      {{"text", GraphForm::Text}, {"dot", GraphForm::Dot}, {"mermaid", GraphForm::Mermaid}, {"json", GraphForm::Json}},
      "Output format: trees as text, or a graph for Graphviz, Mermaid or other programs (default: text)")
      ->type_name("text|dot|mermaid|json");
  app.add_option("--stdin-filename", options.stdin_filename, "Name of the file that `-` contains")->type_name("FILE");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common_but_format(app, options.common);
}

void add_leftovers(CLI::App& app, LeftoversOptions& options) {
  app.add_option("file", options.files, "Output of `kubectl get -o json`; `-`, the default, is standard input")
      ->type_name("FILE|-");
  app.add_option("-o,--output", options.output, "Folder that contains `clusters/`")->type_name("DIR");
  app.add_flag("--command", options.print_command, "Print the kubectl command whose output this command reads");
  app.add_flag("--untracked", options.untracked, "Include clusters that neither Argo CD nor Flux applied");
  add_common(app, options.common);
}

void add_rules(CLI::App& app, RulesOptions& options) {
  CLI::App* test = app.add_subcommand("test", "Check the repository's own rules against their examples");
  test->add_option("file", options.files, "Files of rules (default: those of `lint.rules`)")->type_name("FILE");
  test->callback([&options] { options.test = true; });
  add_common(app, options.common);
  add_common(*test, options.common);
}

// What `diff` and `plan` compare.
void add_sides(CLI::App& app, ComparisonOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets,
                 "Clusters or values files (default: all in the repository); or two folders, the old one first")
      ->type_name("CLUSTER|FILE|DIR DIR");
  app.add_option("-o,--output", options.output, "Folder that contains `clusters/`, to compare with")->type_name("DIR");
  app.add_option("--base", options.base,
                 "Compare with the render of this Git revision, or of the checkout in this folder")
      ->type_name("REV|DIR");
  app.add_flag("--merge-base", options.merge_base,
               "With `--base REV`: compare with the merge base of HEAD and REV, ignoring later changes in REV");
  app.add_flag("--upgrade-set", options.upgrade_set, "Use this capwright's version of the template set");
  app.add_option("-j,--jobs", options.jobs, "Number of clusters to compare in parallel")->type_name("N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& target, const char* help) {
  return app.add_option(name, target, help)->take_all()->allow_extra_args(false);
}

void add_budget(CLI::App& app, std::size_t& budget) {
  app.add_option("--budget", budget, "Limit the Markdown to this many bytes, most severe first")->type_name("BYTES");
}

void add_diff(CLI::App& app, DiffOptions& options, PlainTemplates& plain) {
  add_choice<bool>(app, "--by", options.by_cluster, {{"shape", false}, {"cluster", true}},
                   "Order of the text (default: changes that clusters share are shown once)")
      ->type_name("shape|cluster");
  app.add_flag("--text", options.text, "Print a unified diff of the files, with secrets redacted");
  add_list(app, "--ignore-path", options.ignore_paths, "Ignore changes at this path; can be repeated")
      ->type_name("[KIND[/NAME]:]PATH");
  add_list(app, "--ignore-profile", options.ignore_profiles,
           "Ignore fields that these tools write: argocd, server and others")
      ->type_name("NAME")
      ->delimiter(',');
  add_budget(app, options.budget);
  app.add_flag("--exit-zero", options.exit_zero, "Exit with 0 even if there are differences");
  app.add_flag("--detailed-exitcode", options.detailed_exitcode,
               "Exit with 0 without differences, 1 after an error, 2 with differences");
  add_sides(app, options, plain);
  app.get_option("--format")->description("Output format: text, json or markdown; also to FORM=FILE");
}

// What must not happen to machines.
template <class Options>
void add_gate(CLI::App& app, Options& options) {
  const std::string words = fmt::format(
      "Exit with 1 if this happens: {}; also to a cluster, control-plane, pool, add-on or object, as orphan-pool",
      fmt::join(plan::Gate::words(), ", "));
  add_list(app, "--fail-on", options.fail_on, words.c_str())->type_name("VERB[-TARGET]")->delimiter(',');
  app.add_option("--max-roll", options.max_roll, "Exit with 1 if more machines are replaced, such as `20` or `5%`")
      ->type_name("N|N%");
  add_list(app, "--allow-delete", options.allow_delete, "Allow this cluster to be deleted; can be repeated")
      ->type_name("CLUSTER")
      ->delimiter(',');
}

void add_plan(CLI::App& app, PlanOptions& options, PlainTemplates& plain) {
  add_gate(app, options);
  add_choice<bool>(app, "--by", options.by_cluster, {{"action", false}, {"cluster", true}},
                   "Order of the text (default: changes that clusters share are shown once)")
      ->type_name("action|cluster");
  add_fail_level(app, options.fail_level);
  add_budget(app, options.budget);
  add_sides(app, options, plain);
  app.get_option("--format")->description("Output format: text, json, markdown or github; also to FORM=FILE");
}

void add_publish(CLI::App& app, PublishOptions& options) {
  publish::Options& steps = options.steps;
  std::vector<std::pair<std::string_view, std::optional<publish::Step>>> ids;
  for (const publish::StepInfo& step : publish::steps()) ids.emplace_back(step.id, step.step);
  app.add_flag("--dry-run", steps.choice.dry_run, "Print the steps and the changes; change nothing");
  app.add_flag("-y,--yes", steps.yes, "Don't ask");
  app.add_flag("--restart", steps.restart, "Start over instead of resuming an interrupted run");
  CLI::Option* only = add_choice(app, "--step", steps.choice.only, ids, "Run only this step and those it needs");
  add_choice(app, "--from-step", steps.choice.from, ids, "Run this step and all later ones")
      ->excludes(only)
      ->type_name("STEP");
  only->type_name("STEP");
  app.add_flag("--break-lock", steps.break_lock, "Take the lock of another run that is dead");
  app.add_option("--wait", steps.wait_seconds, "Seconds to wait for the lock (default: `publish.lock.wait`)")
      ->type_name("SECONDS");
  app.add_flag("--auto-commit", steps.auto_commit, "Commit uncommitted changes first");
  app.add_flag("--confirm-commit", steps.confirm_commit, "Like --auto-commit, but ask on the terminal first");
  app.add_flag("--run-hooks", steps.run_hooks, "Run the hooks commit-msg and pre-push of this clone");
  app.add_option("--token-env", options.token_env, "Environment variable with the token for Gitea's API")
      ->type_name("NAME");
  app.add_option("--token-file", options.token_file, "File with the token for Gitea's API")->type_name("FILE");
  app.add_flag("--force", options.force, "Overwrite files that were edited on the branch");
  app.add_flag("--prune", options.prune, "Remove folders of clusters that no longer have a values file");
  add_gate(app, options);
  app.add_option("-j,--jobs", options.jobs, "Number of clusters to render in parallel")->type_name("N");
  add_common(app, options.common);
}

void add_remap(CLI::App& app, RemapOptions& options, PlainTemplates& plain) {
  app.add_option("report", options.file, "Report of the tool about the rendered tree (default: `-`, standard input)")
      ->type_name("FILE|-");
  add_choice<ReportKind>(app, "--from", options.from,
                         {{"kubeconform-json", ReportKind::Kubeconform}, {"sarif", ReportKind::Sarif}},
                         "Format of the report")
      ->type_name("kubeconform-json|sarif")
      ->required();
  app.add_option("-o,--output", options.output, "Folder that contains `clusters/`")->type_name("DIR");
  add_choice<lint::Blame>(
      app, "--blame", options.blame,
      {{"value", lint::Blame::Value}, {"template", lint::Blame::Template}, {"rendered", lint::Blame::Rendered}},
      "Location to show first")
      ->type_name("value|template|rendered");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

void add_test(CLI::App& app, TestOptions& options) {
  app.add_option("case,--case", options.cases, "Cases or sets of cases, such as capo/minimal (default: all)")
      ->type_name("SET/CASE");
  app.add_flag("--update", options.update, "Update the expected files and print what changed");
  app.add_flag("--force", options.force, "Update even if CI is set");
  app.add_option("-j,--jobs", options.jobs, "Number of cases to render in parallel")->type_name("N");
  add_common(app, options.common);
  app.get_option("--format")->description("Output format: text, json or junit; also to FORM=FILE");
}

void add_cmp(CLI::App& app, CmpOptions& options) {
  app.require_subcommand(1);
  CLI::App* generate = app.add_subcommand("generate", "Print the manifests of an Application for Argo CD");
  generate->add_flag("--allow-empty", options.allow_empty, "Allow a result without manifests");
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
  CLI::App* list = add("list", Task::List, "List the rows, newest first");
  list->add_option("cluster", options.targets, "List only these clusters")->type_name("CLUSTER");
  list->add_option("-n,--most", options.most, "Number of rows; 0 for all")->type_name("N");
  CLI::App* show = add("show", Task::Show, "Print one row in full");
  show->add_option("row", options.targets, "Cluster (its newest row) or id of a row")->type_name("CLUSTER|ID");
  CLI::App* verify = add("verify", Task::Verify, "Render the recorded commits again and compare");
  verify->add_option("row", options.targets, "Clusters (their newest rows) or ids of rows (default: all clusters)")
      ->type_name("CLUSTER|ID");
  verify->add_flag("--any-version", options.any_version, "Include rows that another version of capwright rendered");
  CLI::App* record = add("record", Task::Record, "Record a commit that was published by other means");
  record->add_option("--commit", options.revision, "Commit (default: HEAD)")->type_name("REV");
  record->add_option("--remote", options.remote, "Remote that it was pushed to (default: origin)");
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
  std::cerr << "error: can't write to standard output\n";
  return kUsageError;
}

std::optional<PlainTemplates> given(const PlainTemplates& plain) {
  return plain.folder.empty() ? std::nullopt : std::optional(plain);
}

void add_schema_print(CLI::App& schema, SchemaPrintOptions& options) {
  CLI::App* print = schema.add_subcommand("print", "Print the schema for the values of a template set");
  print->add_option("--template-set", options.template_set, "Template set")->type_name("ID");
  print->add_flag("--rules", options.rules, "Print the schema for files of lint rules instead");
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
  CLI::App* list = app.add_subcommand("list", "List the provider releases with known schemas");
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
  app.add_option("arguments", options.arguments, "Arguments of the subcommand");
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
  add_command(app, "catalogue", "Show the dated facts that rules and templates use", [&](CLI::App& catalogue) {
    catalogue.require_subcommand(1);
    add_common(*catalogue.add_subcommand("list", "List the catalogues, their dates and their sources"),
               options.catalogue.common);
  });
  add_command(app, "test", "Compare golden cases with the current render",
              [&](CLI::App& test) { add_test(test, options.test); });
  add_command(app, "cmp", "Run as a config management plugin of Argo CD",
              [&](CLI::App& cmp) { add_cmp(cmp, options.cmp); });
  add_command(app, "audit", "List and verify the records of publications",
              [&](CLI::App& audit) { add_audit(audit, options.audit); });
  add_command(app, "publish", "Render the checked-out commit and push the result",
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
    diff_command = add_command(app, "diff", "Show what a render would change, or how two folders differ",
                               [&](CLI::App& command) { add_diff(command, diff, plain); });
    plan_command = add_command(app, "plan", "Show which machines a change replaces, and why",
                               [&](CLI::App& command) { add_plan(command, plan, plain); });
    leftovers_command =
        add_command(app, "leftovers", "List objects of the management cluster that no rendered file contains",
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
  const CLI::App* render_command = add("render", "Render clusters into the output folder",
                                       [&](CLI::App& command) { add_render(command, render, plain); });
  const CLI::App* explain_command = add("explain", "Explain a rendered line or a diagnostic",
                                        [&](CLI::App& command) { add_explain(command, explain, plain); });
  const CLI::App* lint_command = add("lint", "Report problems in clusters and where to fix them",
                                     [&](CLI::App& command) { add_lint(command, lint, plain); });
  const CLI::App* graph_command = add("graph", "Print the references between objects of a cluster",
                                      [&](CLI::App& command) { add_graph(command, graph, plain); });
  comparisons.add(app, plain);
  const CLI::App* remap_command = add("remap", "Move findings of other tools from the rendered tree to their source",
                                      [&](CLI::App& command) { add_remap(command, remap, plain); });
  const CLI::App* rules_command =
      add("rules", "List the lint rules", [&](CLI::App& command) { add_rules(command, rules); });
  const CLI::App* schema_command = add("schema", "Manage the schemas of values files and manifests",
                                       [&](CLI::App& command) { add_schema(command, schema); });
  const CLI::App* addons_command =
      add("addons", "Show the add-on catalogue", [&](CLI::App& command) { add_addons(command, addons); });
  const CLI::App* eject_command = add("eject", "Copy a built-in template set into the repository to edit it",
                                      [&](CLI::App& command) { add_eject(command, eject); });
  add_pipeline(app, pipeline);
  const CLI::App* dev_command = add("dev", "Inspect internals, for developers of capwright or of templates",
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
