// The entry point: parses the command line, runs the command, and converts exceptions to an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>

#include "cli/command_line.h"
#include "cli/console.h"

int main(int argc, char** argv) {
  // Treats a limit on the size of files as an I/O error instead of dying.
  std::signal(SIGXFSZ, SIG_IGN);
  // Third-party code may throw; this program's doesn't. Exceptions here are bugs, or memory ran out.
  try {
    const capwright::cli::ParsedCommand parsed = capwright::cli::parse_command_line(argc, argv);
    if (parsed.command == nullptr) return parsed.exit_code;
    const int code = parsed.command->run();
    capwright::cli::finish_run(code);
    return code;
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "capwright: internal error: {}\nthis is a bug in capwright, not in your input\n", error.what());
  }
  return capwright::cli::kInternalError;
}
