// Parses with the grammar of all commands. An invalid command line is reported in one line, with the nearest valid
// name.
#include "cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "cli/command_tree.h"
#include "cli/complete.h"
#include "cli/console.h"
#include "cli/usage_message.h"

namespace capwright::cli {
namespace {

int refuse(const std::string& message) {
  const CommonOptions common;
  const Console console(common);
  console.fail(message + "\n`capwright --help` lists the commands, `capwright COMMAND --help` their options");
  return kUsageError;
}

int print(const std::string& text) {
  const CommonOptions common;
  Console console(common);
  return console.finish(text);
}

// The command that was parsed last, such as `list` of `capwright addons list`.
CLI::App& last_parsed(CLI::App& root) {
  CLI::App* app = &root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

// A command line that ends where a command is expected. It gets the help, but not the exit code of a clean run: a
// pipeline whose command went missing has checked nothing.
int show_commands(const HelpPage& page) {
  std::fputs(as_text(page, help_width(stderr)).c_str(), stderr);
  return kUsageError;
}

}  // namespace

int print_help(CommandTree& tree, CLI::App& app) { return print(as_text(tree.page(app), help_width(stdout))); }

ParsedCommand parse_command_line(int argc, char** argv) {
  const std::vector<std::string> words{argv + std::min(argc, 2), argv + argc};
  if (argc > 1 && std::string_view(argv[1]) == kCompleteCommand) return {nullptr, complete(words)};
  CommandTree tree;
  try {
    tree.root().parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    CLI::App& named = last_parsed(tree.root());
    const std::string unknown = unknown_command(tree.root(), argc, argv);  // also with `--help`
    if (!unknown.empty()) return {nullptr, refuse(unknown)};
    if (error.get_name() == "CallForVersion") return {nullptr, print(fmt::format("{}\n", error.what()))};
    if (error.get_exit_code() == 0) return {nullptr, print_help(tree, named)};
    if (ends_before_command(tree.root(), argc, argv)) return {nullptr, show_commands(tree.page(named))};
    return {nullptr, refuse(usage_message(tree.root(), error, argc, argv))};
  }
  auto command = tree.parsed_command();
  const std::string why = command->check({argv + 1, argv + argc});
  if (!why.empty()) return {nullptr, refuse(why)};
  return {std::move(command), kClean};
}

}  // namespace capwright::cli
