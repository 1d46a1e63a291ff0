// `capwright-dev git`: prints a repository as compiler/git reads it, for tests and inspection.
#pragma once
#include <string>
#include <vector>

#include "cli/console.h"

namespace capwright::devtools {

// `arguments`: a task and its operands. Returns the exit code.
int run_git_task(const std::vector<std::string>& arguments, cli::Console& console);

}  // namespace capwright::devtools
