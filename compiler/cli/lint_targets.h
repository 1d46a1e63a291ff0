// What `capwright lint` is pointed at: clusters to be rendered, and manifests to be taken as they are.
#pragma once
#include <string>
#include <vector>

#include "cli/open_project.h"
#include "lint/lint.h"

namespace capwright::cli {

struct LintTargets {
  std::vector<std::string> values;        // paths, as compile_fleet() takes them
  std::vector<lint::Manifest> manifests;  // files, those of folders, standard input
};

// All clusters of the repository when nothing is named. What can't be found or read is reported into the project's
// sink.
LintTargets find_lint_targets(OpenProject& open, const LintOptions& options);

}  // namespace capwright::cli
