// Switches from `capwright`, a static binary without libgit2, to `capwright-git` beside it, the same program with
// libgit2. See docs/architecture.md.
#pragma once
#include <string>
#include <variant>

#include "cli/command_line.h"

namespace capwright::cli {

// Whether a command opens a repository: its options declare it with `bool needs_git() const`.
bool needs_git(const Command&);

// Whether a command uses Git if available (`bool gains_from_git() const`), and there is a repository: in the working
// directory, the folder of `--config`, or that of `--output`.
bool gains_from_git(const Command&);

// Executes `capwright-git` with the same arguments. Call it before anything is read or written. Only returns if that
// program is missing: the exit code, after an error message.
int hand_over(char** argv);
// The same without an error message.
void try_hand_over(char** argv);

}  // namespace capwright::cli
