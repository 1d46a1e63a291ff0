// What every command that compiles clusters begins with: find the repository, read its configuration, know its sets.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/console.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"
#include "source/real_fs.h"
#include "source/real_process.h"

namespace capwright::cli {

// A project with what its configuration's faults point into.
struct OpenProject {
  RealFs fs;
  RealPrograms programs;
  SourceSet sources;  // capwright.yaml
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  std::unique_ptr<Project> project;  // null: the configuration has errors, they are in `sink`

  // `output` as the user gave it, else as the configuration says; a path in the working directory.
  std::string output_folder(const std::optional<std::string>& given) const;
};

struct OpenRequest {
  const CommonOptions& common;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  bool writes;                        // rendered files will be written …
  std::optional<std::string> output;  // … here, else where the configuration says
  std::string templated_addon = {};   // ProjectOptions::templated_addon
  bool upgrade_set = false;           // ProjectOptions::upgrade_set
  bool force = false;                 // ProjectOptions::force
  bool encrypts = false;              // ProjectOptions::encrypts
  bool reencrypt = false;             // ProjectOptions::reencrypt
};
std::unique_ptr<OpenProject> open_project(const OpenRequest&);

// Shows the findings that keep a command from going on; its exit code. The first are those of finding and reading the
// repository, the second a cluster's, or its template set's if that has errors.
int show_faults(const OpenProject&, Console&);
int show_faults(const CompiledCluster&, Console&);

// Values files of the clusters asked for: names, paths, or all. Unknown targets are reported into `sink`.
std::vector<std::string> choose_clusters(OpenProject&, const std::vector<std::string>& targets);

}  // namespace capwright::cli
