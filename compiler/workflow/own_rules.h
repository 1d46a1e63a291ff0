// The repository's own rules of lint, for the commands that know of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lint/own/own_rule.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// Those that the configuration names, or of `files` (paths as the user typed them), if there are any. Faults are in the
// project's sink: `failed()` then, and the rules are of no use.
lint::own::Rules load_own_rules(OpenProject& open, const std::vector<std::string>& files = {});

// The page of the rule of that code or name; nothing when there is none. Faults of the rules' files are passed over.
std::optional<std::string> own_rule_page(const RepositoryOptions& repository, const std::string& code_or_name);

}  // namespace capwright::workflow
