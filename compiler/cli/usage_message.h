// What is wrong with a command line.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace capwright::cli {

// One line, begun as all messages are, without a code. `error` is what reading `argv` has thrown.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

// For a command that doesn't exist: which may be meant. Else nothing.
std::string unknown_command(const CLI::App& app, int argc, char** argv);

}  // namespace capwright::cli
