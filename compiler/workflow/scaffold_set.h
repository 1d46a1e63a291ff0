// A new repository for a template set of the user's own: a copy of the set, and example values from its schema.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "pipeline/template_set.h"
#include "workflow/scaffold.h"

namespace capwright::workflow {

// The set in `folder` with the files of the folder `common` beside it; `shown` is the path of a copy in a repository.
// Empty, with an explanation in `problem`, if the
// folder has no template.yaml or a file can't be read.
std::optional<KnownSet> read_set(const std::string& folder, std::string& problem);

// The layer, the values of two clusters, and the values of a golden case. Required values without an example in the
// schema are left out.
std::vector<ScaffoldFile> example_values(const TemplateSet&);

}  // namespace capwright::workflow
