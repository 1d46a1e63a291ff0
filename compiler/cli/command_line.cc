// There are hundreds of options, so only those of the named command are made.
#include "cli/command_line.h"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "cli/console.h"
#include "cli/usage_message.h"
#include "embedded/embedded.h"

namespace capwright::cli {
namespace {

constexpr const CommandInfo* kCommands[] = {
#define CW_COMMAND(NAME) &NAME##_command,
#include "cli/commands.def"
#undef CW_COMMAND
};

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

}  // namespace

std::span<const CommandInfo* const> all_commands() { return kCommands; }

ParsedCommand parse_command_line(int argc, char** argv) {
  CLI::App app{"Render and check GitOps trees for fleets of Cluster API clusters", "capwright"};
  app.require_subcommand(1);
  std::unique_ptr<Command> command;
  for (const CommandInfo* info : kCommands) {
    CLI::App* added = app.add_subcommand(info->name, info->help);
    added->preparse_callback([added, info, &command](std::size_t) {
      command = info->make();
      command->add_options(*added);
    });
  }
  app.set_version_flag("--version", "capwright " + std::string(embedded::version()));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_command(app, argc, argv);  // also with `--help`
    if (error.get_exit_code() == 0 && unknown.empty()) return {nullptr, show_help(app, error)};
    return {nullptr, refuse(unknown.empty() ? usage_message(app, error, argc, argv) : unknown)};
  }
  const std::string why = command->check({argv + 1, argv + argc});
  if (!why.empty()) return {nullptr, refuse(why)};
  return {std::move(command), kClean};
}

}  // namespace capwright::cli
