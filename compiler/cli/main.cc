// The entry point: parse the command line, run the command, turn what escapes into an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <variant>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/console.h"

namespace {

struct Run {
  int operator()(const capwright::cli::Finished& finished) const { return finished.exit_code; }
  int operator()(const capwright::cli::RenderOptions& options) const { return run_render(options); }
  int operator()(const capwright::cli::ExplainOptions& options) const { return run_explain(options); }
  int operator()(const capwright::cli::SchemaPrintOptions& options) const { return run_schema_print(options); }
  int operator()(const capwright::cli::SchemaAddOptions& options) const { return run_schema_add(options); }
  int operator()(const capwright::cli::SchemaListOptions& options) const { return run_schema_list(options); }
  int operator()(const capwright::cli::AddonsOptions& options) const { return run_addons(options); }
  int operator()(const capwright::cli::EjectOptions& options) const { return run_eject(options); }
  int operator()(const capwright::cli::LintOptions& options) const { return run_lint(options); }
  int operator()(const capwright::cli::RulesOptions& options) const { return run_rules(options); }
  int operator()(const capwright::cli::DevOptions& options) const { return run_dev(options); }
  int operator()(const capwright::cli::VersionOptions&) const { return capwright::cli::run_version(); }
};

}  // namespace

int main(int argc, char** argv) {
  // A limit on the size of files shall be a fault like a full disk, not our end.
  std::signal(SIGXFSZ, SIG_IGN);
  // Third-party code may throw; ours doesn't. Whatever comes here is a bug, or memory that ran out.
  try {
    return std::visit(Run(), capwright::cli::parse_command_line(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "capwright: internal error: {}\nthis is a bug in capwright, not in your input\n", error.what());
  }
  return capwright::cli::kInternalError;
}
