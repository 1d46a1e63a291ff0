// `capwright dev …`: prints internal data, for developers of capwright or of templates.
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/dev_cel.h"
#include "cli/dev_docs.h"
#include "cli/dev_git.h"
#include "cli/dev_jinja.h"
#include "cli/dev_jsonschema.h"
#include "cli/dev_verdicts.h"
#include "cli/open_project.h"
#include "diag/suggest.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/read_source.h"
#include "report/explanation.h"
#include "report/json_values.h"
#include "template/syntax/parse.h"

namespace capwright::cli {
namespace {

int finish(Console& console, const std::vector<Diagnostic>& diagnostics, const SourceSet& sources) {
  report::Findings findings;
  findings.add(diagnostics, sources, nullptr, "");
  console.show(findings);
  return console.flush() ? exit_code(findings) : kUsageError;
}

// Prints a template file as tokens or as a syntax tree, parsed with Jinja2's default options.
int dump_template(const std::string& path, bool tokens, Console& console) {
  RealFs fs;
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  const Limits limits;
  Stage stage{sources, sink, arena, origins, limits};
  if (const std::optional<FileId> file = read_source(fs, {}, path, Span(), stage)) {
    const jinja::Options options;
    if (tokens) console.print(jinja::print_tokens(*file, sources, options));
    else if (const auto parsed = jinja::parse(*file, path, sources, options, sink))
      console.print(jinja::print_tree(*parsed));
  }
  return finish(console, sink.diagnostics(), sources);
}

// A cluster's frozen values, or its source map.
int dump_cluster(const std::string& target, bool values, const CommonOptions& common, Console& console) {
  const auto open = open_project({common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return show_faults(*open, console);
  const std::vector<std::string> chosen = choose_clusters(*open, {target});
  if (chosen.empty()) return show_faults(*open, console);
  const auto cluster = compile_cluster(chosen[0], *open->project);
  if (values && !cluster->values.is(Kind::Null)) console.print(report::as_pretty_json(cluster->values));
  if (!values && cluster->clean()) console.print(report::source_map(*cluster));
  const int code = show_faults(*cluster, console);
  return console.flush() ? code : kUsageError;
}

}  // namespace

int run_dev(const DevOptions& options) {
  const CommonOptions common;
  Console console(common);
  const std::string argument = options.arguments.empty() ? "" : options.arguments[0];
  if (options.what == "jinja") return dev_jinja(std::cin, std::cout);
  if (options.what == "cel") return dev_cel(std::cin, std::cout);
  if (options.what == "verdicts") return dev_verdicts(std::cin, std::cout);
  if (options.what == "jsonschema") return dev_jsonschema(argument, std::cout);
  if (options.what == "tokens" || options.what == "ast")
    return dump_template(argument, options.what == "tokens", console);
  if (options.what == "values" || options.what == "segments")
    return dump_cluster(argument, options.what == "values", common, console);
  if (options.what == "git") return dev_git(options.arguments, console);
  if (options.what == "docs") {
    if (const std::optional<std::string> page = generated_page(options.arguments)) {
      console.print(*page);
      return console.flush() ? kClean : kUsageError;
    }
  }
  console.fail(
      "`dev` knows jinja, cel, jsonschema, verdicts, tokens FILE, ast FILE, values CLUSTER, segments CLUSTER, docs "
      "diagnostics, docs values, docs values SET and git TASK");
  return kUsageError;
}

}  // namespace capwright::cli
