// The commands and flags of capwright, as CLI11 reads them (the only file that includes it).
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>

#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "report/formats.h"

namespace capwright::cli {
namespace {

constexpr int kUsageError = 2;

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

// `-f FORM` for the terminal, the last one counts, and `-f FORM=FILE` for files, as many as there are.
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
         [choose](const std::vector<std::string>& all) { std::for_each(all.begin(), all.end(), choose); },
         "How findings are printed: text, concise or a form for programs; FORM=FILE writes them to a file as well")
      ->type_name("FORM[=FILE]")
      ->expected(1)
      ->take_all();
}

void add_common(CLI::App& app, CommonOptions& common) {
  app.add_option("--config", common.config, "Read this capwright.yaml instead of searching for one")->type_name("FILE");
  app.add_flag("--isolated", common.isolated, "Ignore every capwright.yaml");
  add_choice<ColorMode>(app, "--color", common.color,
                        {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}},
                        "Color in messages (NO_COLOR turns it off)")
      ->type_name("auto|always|never");
  add_format(app, common);
  app.add_flag("-q,--quiet", common.quiet, "Print findings only");
  app.add_flag("-v,--verbose", common.verbose, "Say more about what is done");
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

CLI::App* add_schema_add(CLI::App& app, SchemaAddOptions& options) {
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
  return command;
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

void add_lint(CLI::App& app, LintOptions& options, PlainTemplates& plain) {
  app.add_option("target", options.targets,
                 "Clusters, values files, manifests, folders of manifests, or `-`; the whole repository by default")
      ->type_name("CLUSTER|FILE|DIR|-");
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    app.add_option(name, target, help)->type_name("CODE|NAME")->delimiter(',')->take_all()->allow_extra_args(false);
  };
  list("--select", options.select, "Only these rules: codes such as CAP401, beginnings such as CAP4 or K, names");
  list("--ignore", options.ignore, "All but these rules");
  add_choice<lint::Blame>(
      app, "--blame", options.blame,
      {{"value", lint::Blame::Value}, {"template", lint::Blame::Template}, {"rendered", lint::Blame::Rendered}},
      "The place that a finding shows first")
      ->type_name("value|template|rendered");
  add_choice<Severity>(app, "--fail-level", options.fail_level,
                       {{"error", Severity::Error}, {"warning", Severity::Warning}, {"info", Severity::Note}},
                       "The least severe finding that makes the exit code 1; warning by default")
      ->type_name("error|warning|info");
  app.add_flag("--exit-zero", options.exit_zero, "Exit with 0 whatever is found");
  app.add_flag("--statistics", options.statistics,
               "Print how often each rule found something, instead of the findings");
  app.add_flag("--show-files", options.show_files, "Print the paths of what is looked at");
  app.add_option("--stdin-filename", options.stdin_filename, "What `-` is called in findings")->type_name("FILE");
  app.add_option("--as-of", options.as_of,
                 "The date that support and suppressions are judged by; the catalogue's by default")
      ->type_name("YYYY-MM-DD");
  app.add_option("-j,--jobs", options.jobs, "How many clusters are linted at a time")->type_name("N");
  add_values(app, options.values);
  add_plain_templates(app, plain);
  add_common(app, options.common);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// For a command that doesn't exist, below one that does or not: the one that may be meant. Else nothing.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* above = &app;
  int at = 1;
  for (; at < argc && !above->get_subcommands().empty(); ++at) above = above->get_subcommands().front();
  const std::vector<std::string> names = command_names(*above);
  if (names.empty()) return {};
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string full = above == &app ? "" : above->get_name() + " ";
  if (at == argc)
    return above == &app ? "" : fmt::format("`{}` needs a command: {}", above->get_name(), list_names(candidates));
  if (argv[at][0] == '-') return {};
  const std::string suggestion = did_you_mean(argv[at], candidates);
  return fmt::format("there is no command `{}{}`{}{}", full, argv[at], suggestion.empty() ? "" : "; ", suggestion);
}

// For an option that the command doesn't have: the one that may be meant. Else nothing.
std::string unknown_option(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (int i = 1; i < argc; ++i) {
    const std::string given = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (!given.starts_with("--") || given == "--") continue;
    if (std::find(names.begin(), names.end(), given) != names.end()) continue;
    const std::string suggestion = did_you_mean(given, candidates);
    const std::string full = command == &app ? app.get_name() : app.get_name() + " " + command->get_name();
    return fmt::format("`{}` has no option `{}`{}{}", full, given, suggestion.empty() ? "" : "; ", suggestion);
  }
  return {};
}

// Of the messages of a kind whose words speak of C++ more than of the command line: ours. Else nothing.
std::string reworded(const CLI::ParseError& error) {
  const std::string_view words = error.what();
  const std::string kind = error.get_name();
  if (kind == "ArgumentMismatch") return fmt::format("`{}` needs a value", words.substr(0, words.find(':')));
  if (kind == "RequiredError" && words == "A subcommand is required") return "a command is missing";
  if (kind == "RequiredError" && words.ends_with(" is required"))
    return fmt::format("`{}` is missing", words.substr(0, words.find(' ')));
  if (kind == "ConversionError" && words.find(": ") != std::string_view::npos &&
      words.find(" = ") != std::string_view::npos) {
    const std::string_view both = words.substr(words.find(": ") + 2);
    const std::size_t equals = both.find(" = ");
    return fmt::format("`{}` can't be `{}`", both.substr(0, equals), both.substr(equals + 3));
  }
  return {};
}

// The library's words, begun as ours begin, where we have none of our own.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::string unknown = unknown_command(app, argc, argv);
  if (!unknown.empty()) return unknown;
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {  // its name is the command's
    if (const std::string option = unknown_option(app, argc, argv); !option.empty()) return option;
  }
  if (const std::string ours = reworded(error); !ours.empty()) return ours;
  std::string message = error.what();
  if (!message.empty() && message[0] >= 'A' && message[0] <= 'Z')
    message[0] = static_cast<char>(message[0] + ('a' - 'A'));
  return message;
}

// What is asked for can't be done at once, or is half said. Else nothing.
std::string contradiction(const RenderOptions& options, const PlainTemplates& plain) {
  std::vector<std::string_view> modes;
  if (options.check) modes.push_back("--check");
  if (options.to_stdout) modes.push_back("--stdout");
  if (options.list) modes.push_back("--list");
  if (modes.size() > 1) return fmt::format("`{}` and `{}` exclude each other", modes[0], modes[1]);
  if (options.source_map && (options.check || options.list))
    return fmt::format("`--source-map` writes files, and `{}` writes none", modes[0]);
  return !plain.folder.empty() && plain.main.empty() ? "`--template-dir` needs `--main`, the template to render" : "";
}

int refuse(const std::string& message) {
  std::cerr << "error: " << message << "\n"
            << "`capwright --help` lists the commands, `capwright COMMAND --help` their options\n";
  return kUsageError;
}

std::optional<PlainTemplates> given(const PlainTemplates& plain) {
  return plain.folder.empty() ? std::nullopt : std::optional(plain);
}

}  // namespace

Command parse_command_line(int argc, char** argv) {
  CLI::App app{"Render and check GitOps trees for fleets of Cluster API clusters", "capwright"};
  app.require_subcommand(1);
  RenderOptions render;
  ExplainOptions explain;
  SchemaPrintOptions schema_print;
  SchemaAddOptions schema_add;
  SchemaListOptions schema_list;
  AddonsOptions addons;
  EjectOptions eject;
  LintOptions lint;
  RulesOptions rules;
  DevOptions dev;
  PlainTemplates plain;

  CLI::App* render_command = app.add_subcommand("render", "Render clusters into the tree");
  add_render(*render_command, render, plain);
  CLI::App* explain_command =
      app.add_subcommand("explain", "Say what made a rendered line, or what a diagnostic means");
  add_explain(*explain_command, explain, plain);
  CLI::App* lint_command = app.add_subcommand("lint", "Say what is wrong with clusters, and where to mend it");
  add_lint(*lint_command, lint, plain);
  CLI::App* rules_command = app.add_subcommand("rules", "List the rules of lint");
  add_common(*rules_command, rules.common);
  CLI::App* schema_command = app.add_subcommand("schema", "The schemas of values files and of manifests");
  schema_command->require_subcommand(1);
  CLI::App* print_command =
      schema_command->add_subcommand("print", "Print the schema that a template set's values must meet");
  print_command->add_option("--template-set", schema_print.template_set, "The template set")->type_name("ID");
  add_common(*print_command, schema_print.common);
  CLI::App* schema_add_command = add_schema_add(*schema_command, schema_add);
  CLI::App* schema_list_command =
      schema_command->add_subcommand("list", "List the releases of providers whose kinds are known");
  add_common(*schema_list_command, schema_list.common);
  CLI::App* addons_command = app.add_subcommand("addons", "The catalogue of add-ons");
  add_addons(*addons_command, addons);
  CLI::App* eject_command = app.add_subcommand("eject", "Take a built-in template set over, to change it");
  add_eject(*eject_command, eject);
  CLI::App* dev_command = app.add_subcommand("dev", "Look inside: for people who work on capwright or on templates");
  dev_command->add_option("what", dev.what, "jinja, cel, jsonschema, verdicts, tokens, ast, values, segments or docs")
      ->required();
  dev_command->add_option("arguments", dev.arguments, "What it works on");
  dev_command->prefix_command();
  CLI::App* version_command = app.add_subcommand("version", "Print version and build facts");
  app.set_version_flag("--version", "capwright " + std::string(embedded::version()));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return Finished{app.exit(error, std::cout, std::cerr)};
    return Finished{refuse(usage_message(app, error, argc, argv))};
  }
  if (const std::string why = contradiction(render, plain); !why.empty()) return Finished{refuse(why)};
  render.plain = given(plain);
  explain.plain = given(plain);
  lint.plain = given(plain);
  if (render_command->parsed()) return render;
  if (lint_command->parsed()) return lint;
  if (rules_command->parsed()) return rules;
  if (explain_command->parsed()) return explain;
  if (print_command->parsed()) return schema_print;
  if (schema_add_command->parsed()) return schema_add;
  if (schema_list_command->parsed()) return schema_list;
  if (addons_command->parsed()) return addons;
  if (eject_command->parsed()) return eject;
  if (version_command->parsed()) return VersionOptions{};
  for (const std::string& rest : dev_command->remaining()) dev.arguments.push_back(rest);
  return dev;
}

}  // namespace capwright::cli
