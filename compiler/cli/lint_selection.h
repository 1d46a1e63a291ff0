// Which rules count: by the command line and the configuration.
#pragma once
#include <string>

#include "cli/command_line.h"
#include "lint/own/rule.h"
#include "lint/selection.h"
#include "pipeline/config.h"

namespace capwright::cli {

// The command line's lists come on top of the configuration's. `own` outlives it.
lint::Selection selection_of(const LintOptions& options, const Config& config, const lint::own::Rules& own);

// The first selector that names nothing, or that is to ignore what can't be, as a message; empty when all are well.
std::string faulty_selector(const lint::Selection& selection);

}  // namespace capwright::cli
