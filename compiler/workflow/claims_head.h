// Which run wrote a claims file: parts can be compared only if they are parts of the same repository, checked in the
// same way.
#pragma once
#include "workflow/claims_file.h"
#include "workflow/open_project.h"
#include "workflow/requests.h"

namespace capwright::workflow {

// Call it when the project's configuration, rules and schemas have been read, and nothing else.
ClaimsHead claims_head(const LintRequest& request, OpenProject& open);

}  // namespace capwright::workflow
