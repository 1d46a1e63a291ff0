// Manifests that are too long to be held: read, linted, shown and forgotten, one document after the other.
#pragma once
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/open_project.h"
#include "lint/linter.h"

namespace capwright::cli {

// Whether one of the targets has more than Limits::input_bytes. Of standard input no more than that is read and kept.
bool has_long_target(const LintOptions& options, OpenProject& open);

// Lints such targets: each document by the rules for single objects, and by what the server says. The exit code.
int lint_streams(const lint::Linter& linter, const lint::Context& context, const LintOptions& options,
                 OpenProject& open, Console& console);

}  // namespace capwright::cli
