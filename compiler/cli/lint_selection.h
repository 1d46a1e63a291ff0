// Which rules count: by the command line and the configuration.
#pragma once
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/open_project.h"
#include "lint/own/rule.h"
#include "lint/selection.h"
#include "pipeline/config.h"

namespace capwright::cli {

// The command line's lists come on top of the configuration's. `own` outlives it.
lint::Selection selection_of(const LintOptions& options, const Config& config, const lint::own::Rules& own);

// The selectors that name nothing, or that are to ignore what can't be, as messages: those of the configuration with
// their places.
std::vector<std::string> faulty_selectors(const lint::Selection& selection, OpenProject& open);

}  // namespace capwright::cli
