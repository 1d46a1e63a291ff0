// The targets of `capwright lint`: clusters to render, template sets without values, and manifests to read as they are.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine/lint.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

struct LintTargets {
  std::vector<std::string> values;           // paths, as for compile_fleet()
  std::vector<const TemplateSet*> sets;      // linted without values
  std::vector<lint::Manifest> manifests;     // files, those of folders, standard input; each once
  std::vector<lint::ManifestGroup> sources;  // of capwright.yaml
  std::vector<std::string> notes;            // named but not linted, and why
  bool all_clusters = false;                 // `values` are those of the complete repository
  bool whole_folder = false;                 // and the manifests are all in the folder
};

struct TargetRequest {
  const std::vector<std::string>& targets;
  const std::optional<std::string>& stdin_filename;  // the name of `-`: OpenRequest::edited_file, or any name
  Shard shard = {};                                  // reads only its sources; lists the values of all
  bool reads_sources = true;
  // Without targets, also what no cluster renders: the files of lint::kArgoCdFolder, and folders in `clusters/` that no
  // values file makes.
  bool reads_unrendered = false;
};

// All clusters of the repository if no target is named. Reports targets that can't be found or read into the project's
// sink.
LintTargets find_lint_targets(OpenProject& open, const TargetRequest& request);

// Moves the sources and manifests out, as one group for each cluster.
std::vector<lint::ManifestGroup> take_groups(LintTargets& targets);

// The file whose text comes from standard input, if `-` is a target with a name.
std::optional<std::string> edited_file(const TargetRequest& request);

// A cluster that consists of templates only.
std::unique_ptr<CompiledCluster> cluster_without_values(const TemplateSet& set);

}  // namespace capwright::workflow
