// Findings about the layers of capwright.yaml across all clusters.
#pragma once
#include <string>
#include <vector>

#include "workflow/open_project.h"

namespace capwright::workflow {

// Reports layers that apply to none of these values files (all those of the repository) into `open.sink`.
void report_unused_layers(OpenProject& open, const std::vector<std::string>& values_paths);

}  // namespace capwright::workflow
