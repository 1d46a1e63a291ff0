// `capwright-dev`: prints internal data and answers the test protocols of other projects, for contributors.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>

#include "cli/console.h"
#include "cli/faults.h"
#include "devtools/generated_docs.h"
#include "devtools/tasks.h"
#include "diag/suggest.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/read_source.h"
#include "report/explanation.h"
#include "report/json_values.h"
#include "template/syntax/parse.h"
#include "workflow/open_project.h"

namespace capwright::devtools {
namespace {

using cli::Console;

int finish(Console& console, const std::vector<Diagnostic>& diagnostics, const SourceSet& sources) {
  report::Findings findings;
  findings.add(diagnostics, sources, {}, "");
  console.show(findings);
  return console.flush() ? cli::exit_code(findings) : cli::kUsageError;
}

// Prints a template file as tokens or as a syntax tree, parsed with Jinja2's default options.
int dump_template(const std::string& path, bool tokens, Console& console) {
  RealFs fs;
  OwnStage own;
  if (const std::optional<FileId> file = read_source(fs, {}, path, Span(), own.stage)) {
    const jinja::Options options;
    if (tokens) console.print(jinja::print_tokens(*file, own.sources, options));
    else if (const auto parsed = jinja::parse(*file, path, own.sources, options, own.sink))
      console.print(jinja::print_tree(*parsed));
  }
  return finish(console, own.sink.diagnostics(), own.sources);
}

// A cluster's frozen values, or its source map.
int dump_cluster(const std::string& target, bool values, const cli::CommonOptions& common, Console& console) {
  const auto open = workflow::open_project({common, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return cli::show_faults(*open, console);
  const std::vector<std::string> chosen = workflow::choose_clusters(*open, {target});
  if (chosen.empty()) return cli::show_faults(*open, console);
  const auto cluster = compile_cluster(chosen[0], *open->project);
  if (values && !cluster->values.is(Kind::Null)) console.print(report::as_pretty_json(cluster->values));
  if (!values && cluster->clean()) console.print(report::source_map(*cluster));
  const int code = cli::show_faults(*cluster, console);
  return console.flush() ? code : cli::kUsageError;
}

// Returns the exit code.
int run(const std::string& task, const std::vector<std::string>& arguments) {
  const cli::CommonOptions common;
  Console console(common);
  const std::string argument = arguments.empty() ? "" : arguments[0];
  if (task == "jinja") return answer_jinja(std::cin, std::cout);
  if (task == "cel") return answer_cel(std::cin, std::cout);
  if (task == "verdicts") return answer_verdicts(std::cin, std::cout);
  if (task == "jsonschema") return run_schema_suite(argument, std::cout);
  if (task == "tokens" || task == "ast") return dump_template(argument, task == "tokens", console);
  if (task == "values" || task == "segments") return dump_cluster(argument, task == "values", common, console);
  if (task == "git") return run_git_task(arguments, console);
  if (const auto page = task == "docs" ? generated_page(arguments) : std::nullopt) {
    console.print(*page);
    return console.flush() ? cli::kClean : cli::kUsageError;
  }
  console.fail(
      "usage: capwright-dev jinja | cel | jsonschema DIR | verdicts | tokens FILE | ast FILE | values CLUSTER | "
      "segments CLUSTER | docs PAGE [SET] | git TASK");
  return cli::kUsageError;
}

}  // namespace
}  // namespace capwright::devtools

int main(int argc, char** argv) {
  try {
    return capwright::devtools::run(argc < 2 ? "" : argv[1], {argv + std::min(argc, 2), argv + argc});
  } catch (const std::exception& error) {
    std::fputs(fmt::format("capwright-dev: internal error: {}\n", error.what()).c_str(), stderr);
  }
  return capwright::cli::kInternalError;
}
