// Reads the command line.
#pragma once
#include <memory>

#include "cli/command.h"
#include "cli/command_tree.h"

namespace capwright::cli {

// Null if there is nothing to run: help was printed, or the command line was rejected. Then the exit code says which.
struct ParsedCommand {
  std::unique_ptr<Command> command;
  int exit_code = 0;
};
ParsedCommand parse_command_line(int argc, char** argv);

// Prints the page of `app`. Returns the exit code.
int print_help(CommandTree& tree, CLI::App& app);

}  // namespace capwright::cli
