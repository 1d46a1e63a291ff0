// From `capwright`, which is one static file without libgit2, to `capwright-git` beside it, which is the same program
// with it. See docs/architecture.md.
#pragma once
#include <string>
#include <variant>

#include "cli/command_line.h"

namespace capwright::cli {

// Whether a command will open a repository: its options say so by a `bool needs_git() const`, others never do.
bool needs_git(const Command&);

// Whether it looks at Git if it can, by `bool gains_from_git() const`, and runs where there is a repository: in the
// working directory, the folder of `--config`, or that of `--output`.
bool gains_from_git(const Command&);

// Becomes `capwright-git` with the same arguments: to be called before anything is read or written. Returns only when
// that isn't there, the exit code then, after it was said.
int hand_over(char** argv);
// The same, but that nothing is said.
void try_hand_over(char** argv);

}  // namespace capwright::cli
