// The selected rules, by the command line and the configuration.
#pragma once
#include <string>
#include <vector>

#include "lint/engine/selection.h"
#include "lint/own/own_rule.h"
#include "pipeline/config.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// Adds the command line's lists to the configuration's. `own` must outlive it.
lint::Selection selection_of(const LintRequest& request, const Config& config, const lint::own::Rules& own);

// Messages about selectors that match nothing, or that ignore an error which can't be ignored; those of the
// configuration with their places.
std::vector<std::string> faulty_selectors(const lint::Selection& selection, OpenProject& open);

}  // namespace capwright::workflow
