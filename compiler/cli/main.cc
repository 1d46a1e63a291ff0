// The entry point: parses the command line, runs the command, and converts exceptions to an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <variant>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/hand_over.h"
#include "git/repository.h"

namespace {

struct Run {
  int operator()(const capwright::cli::Finished& finished) const { return finished.exit_code; }
  int operator()(const capwright::cli::RenderOptions& options) const { return run_render(options); }
  int operator()(const capwright::cli::ExplainOptions& options) const { return run_explain(options); }
  int operator()(const capwright::cli::SchemaPrintOptions& options) const { return run_schema_print(options); }
  int operator()(const capwright::cli::SchemaAddOptions& options) const { return run_schema_add(options); }
  int operator()(const capwright::cli::SchemaListOptions& options) const { return run_schema_list(options); }
  int operator()(const capwright::cli::CatalogueListOptions& options) const { return run_catalogue_list(options); }
  int operator()(const capwright::cli::AddonsOptions& options) const { return run_addons(options); }
  int operator()(const capwright::cli::EjectOptions& options) const { return run_eject(options); }
  int operator()(const capwright::cli::LintOptions& options) const { return run_lint(options); }
  int operator()(const capwright::cli::GraphOptions& options) const { return run_graph(options); }
  int operator()(const capwright::cli::LeftoversOptions& options) const { return run_leftovers(options); }
  int operator()(const capwright::cli::RemapOptions& options) const { return run_remap(options); }
  int operator()(const capwright::cli::RulesOptions& options) const { return run_rules(options); }
  int operator()(const capwright::cli::DiffOptions& options) const { return run_diff(options); }
  int operator()(const capwright::cli::PlanOptions& options) const { return run_plan(options); }
  int operator()(const capwright::cli::TestOptions& options) const { return run_test(options); }
  int operator()(const capwright::cli::CmpOptions& options) const { return run_cmp(options); }
  int operator()(const capwright::cli::AuditOptions& options) const { return run_audit(options); }
  int operator()(const capwright::cli::PublishOptions& options) const { return run_publish(options); }
  int operator()(const capwright::cli::DevOptions& options) const { return run_dev(options); }
  int operator()(const capwright::cli::VersionOptions&) const { return capwright::cli::run_version(); }
};

}  // namespace

int main(int argc, char** argv) {
  // Treats a limit on the size of files as an I/O error instead of dying.
  std::signal(SIGXFSZ, SIG_IGN);
  // Third-party code may throw; this program's doesn't. Exceptions here are bugs, or memory ran out.
  try {
    capwright::cli::Command command = capwright::cli::parse_command_line(argc, argv);
    std::visit(
        [&](auto& options) {
          if constexpr (requires { options.common; }) options.common.words.assign(argv + 1, argv + argc);
        },
        command);
    if (needs_git(command) && !capwright::git::has_libgit2()) return capwright::cli::hand_over(argv);
    if (!capwright::git::has_libgit2() && gains_from_git(command)) capwright::cli::try_hand_over(argv);
    return std::visit(Run(), command);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "capwright: internal error: {}\nthis is a bug in capwright, not in your input\n", error.what());
  }
  return capwright::cli::kInternalError;
}
