// What `capwright lint` is pointed at: clusters to be rendered, templates alone, and manifests to be taken as they are.
#pragma once
#include <string>
#include <vector>

#include "cli/open_project.h"
#include "lint/lint.h"

namespace capwright::cli {

struct LintTargets {
  std::vector<std::string> values;        // paths, as compile_fleet() takes them
  std::vector<const TemplateSet*> sets;   // to be looked at without values
  std::vector<lint::Manifest> manifests;  // files, those of folders, standard input; each once
  std::vector<std::string> notes;         // what is named and isn't looked at, and why
  bool all_clusters = false;              // `values` are those of the whole repository
  bool whole_folder = false;              // and the manifests are all that lie in it
};

struct TargetRequest {
  const std::vector<std::string>& targets;
  const std::optional<std::string>& stdin_filename;  // what `-` stands for: OpenRequest::edited_file, or a mere name
};

// All clusters of the repository when nothing is named. What can't be found or read is reported into the project's
// sink.
LintTargets find_lint_targets(OpenProject& open, const TargetRequest& request);

// The file that standard input is the text of, when it is a target and has a name.
std::optional<std::string> edited_file(const TargetRequest& request);

// A cluster that has nothing but its templates.
std::unique_ptr<CompiledCluster> cluster_without_values(const TemplateSet& set);

}  // namespace capwright::cli
