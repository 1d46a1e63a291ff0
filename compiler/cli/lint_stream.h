// Lints manifests that are too long for memory: reads, lints, shows and frees one document after the other.
#pragma once
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/open_project.h"
#include "lint/engine/linter.h"

namespace capwright::cli {

// Whether a target is longer than Limits::input_bytes. Reads and keeps at most that much of standard input.
bool has_long_target(const LintOptions& options, OpenProject& open);

// Lints such targets: each document by the rules for single objects, and by the server checks. Returns the exit code.
int lint_streams(const lint::Linter& linter, const lint::Context& context, const LintOptions& options,
                 OpenProject& open, Console& console);

}  // namespace capwright::cli
