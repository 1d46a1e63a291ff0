// What is wrong with a command line.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace capwright::cli {

// One line, begun as all messages are, without a code. `error` is what reading `argv` has thrown.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

}  // namespace capwright::cli
