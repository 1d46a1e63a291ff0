// `capwright dev git`: what compiler/git makes of a repository, for its tests and for looking inside.
#pragma once
#include <string>
#include <vector>

#include "cli/console.h"

namespace capwright::cli {

// `arguments` are a task and what it works on; the exit code.
int dev_git(const std::vector<std::string>& arguments, Console& console);

}  // namespace capwright::cli
