// Runs the program `git` for features that libgit2 lacks: hooks, the index.
#pragma once
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/repository.h"
#include "source/process.h"

namespace capwright::publish {

// Runs in the root of the working tree. Returns false after reporting an error with the output of `git`; `shown` is the
// command in it.
bool run_git(git::Repository& repository, Programs& programs, std::vector<std::string> arguments,
             const std::string& shown, Sink& sink);

// Whether the program exists; `why` is the option that needs it.
bool find_git(Programs& programs, const char* why, Sink& sink);

}  // namespace capwright::publish
