// What is wrong with the layers of capwright.yaml as seen from all clusters.
#pragma once
#include <string>
#include <vector>

#include "cli/open_project.h"

namespace capwright::cli {

// Reports layers that apply to none of these values files, which are all of the repository's, into `open.sink`.
void report_unused_layers(OpenProject& open, const std::vector<std::string>& values_paths);

}  // namespace capwright::cli
