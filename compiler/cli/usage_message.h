// Error messages about the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command_tree.h"

namespace capwright::cli {

// One line in the format of all messages, without a code. `error`: the exception from parsing `argv`.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

// A suggestion for a command that doesn't exist; otherwise empty.
std::string unknown_command(const CLI::App& app, int argc, char** argv);

// Whether it ends where the name of a command is missing.
bool ends_before_command(const CLI::App& app, int argc, char** argv);

// The error for words of `capwright help` that aren't a command.
std::string unknown_word(CommandTree& tree, const std::vector<std::string>& words);

}  // namespace capwright::cli
