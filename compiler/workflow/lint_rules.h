// The rules of a lint run: the repository's own, and the selection by the command line and the configuration.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lint/engine/selection.h"
#include "lint/own/own_rule.h"
#include "pipeline/config.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// The repository's own rules: those that the configuration names, or those in `files` (paths as the user typed them) if
// there are any. Errors are in the project's sink; if it `failed()`, the rules are unusable.
lint::own::Rules load_own_rules(OpenProject& open, const std::vector<std::string>& files = {});

// The page of the repository's own rule with this code or name; empty if there is none. Ignores errors in the files of
// rules.
std::optional<std::string> own_rule_page(const RepositoryOptions& repository, const std::string& code_or_name);

// The selected rules. Adds the command line's lists to the configuration's. `own` must outlive it.
lint::Selection selection_of(const LintRequest& request, const Config& config, const lint::own::Rules& own);

// Messages about selectors that match nothing, or that ignore an error which can't be ignored; those of the
// configuration with their places.
std::vector<std::string> faulty_selectors(const lint::Selection& selection, OpenProject& open);

}  // namespace capwright::workflow
