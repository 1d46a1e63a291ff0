// The program `git`, for what libgit2 doesn't do: hooks, the index.
#pragma once
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/repository.h"
#include "source/process.h"

namespace capwright::publish {

// In the work tree's folder. False: a fault was reported, with what `git` says; `shown` is the command in it.
bool run_git(git::Repository& repository, Programs& programs, std::vector<std::string> arguments,
             const std::string& shown, Sink& sink);

// Whether there is one; `why` is the option that needs it.
bool find_git(Programs& programs, const char* why, Sink& sink);

}  // namespace capwright::publish
