// Reads the command line.
#pragma once
#include <memory>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/comparison_options.h"
#include "diag/diag.h"
#include "lint/engine/selection.h"
#include "publish/settings.h"

namespace capwright::cli {

// Null if there is nothing to run: help was printed, or the command line was rejected. Then the exit code says which.
struct ParsedCommand {
  std::unique_ptr<Command> command;
  int exit_code = 0;
};
ParsedCommand parse_command_line(int argc, char** argv);

}  // namespace capwright::cli
