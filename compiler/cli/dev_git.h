// `capwright dev git`: prints a repository as compiler/git reads it, for tests and inspection.
#pragma once
#include <string>
#include <vector>

#include "cli/console.h"

namespace capwright::cli {

// `arguments`: a task and its operands. Returns the exit code.
int dev_git(const std::vector<std::string>& arguments, Console& console);

}  // namespace capwright::cli
