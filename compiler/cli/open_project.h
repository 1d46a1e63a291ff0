// What every command that compiles clusters begins with: find the repository, read its configuration, know its sets.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/console.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"
#include "pipeline/repository_bounds.h"
#include "source/edited_fs.h"
#include "source/real_fs.h"
#include "source/real_process.h"

namespace capwright::cli {

// A variable of the environment that is set, and not to `false`.
bool is_switched_on(const char* variable);

// A project with what its configuration's faults point into.
struct OpenProject {
  explicit OpenProject(const std::string& working_directory) : fs(inside, working_directory), here(working_directory) {}

  RealFs files;
  BoundedFs inside{files};                 // of these what the command may touch
  EditedFs fs;                             // and of those with the texts of OpenRequest::edits
  std::string here;                        // the working directory
  std::optional<RepositoryBounds> bounds;  // nothing: `--allow-outside`
  RealPrograms programs;
  SourceSet sources;  // capwright.yaml
  Sink sink;
  report::SecretSpans secrets;  // in `sources`, where these turned out to be manifests
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
  bool forget_removed = false;        // ProjectOptions::forget_removed
  bool encrypts = false;              // ProjectOptions::encrypts
  bool reencrypt = false;             // ProjectOptions::reencrypt
  bool keeps_manifests = false;       // ProjectOptions::keeps_manifests
  // A file, as it was typed, whose text is what comes by standard input: an editor's, which has not saved it. Unless
  // that is longer than a file may be; it is not read then.
  std::optional<std::string> edited_file = {};
  // Texts that count in place of files, by shown path; null: none.
  const std::map<std::string, std::string, std::less<>>* edits = nullptr;
};
std::unique_ptr<OpenProject> open_project(const OpenRequest&);

// Shows the findings that keep a command from going on; its exit code. The first are those of finding and reading the
// repository, the second a cluster's, or its template set's if that has errors.
int show_faults(OpenProject&, Console&);
int show_faults(const CompiledCluster&, Console&);

// What was found of the configuration, which may be a Secret that is named by mistake; and with the project's and the
// template sets' own, before that of clusters.
void add_own_findings(OpenProject& open, report::Findings& findings);
void add_project_findings(OpenProject& open, report::Findings& findings);

// Values files of the clusters asked for: names, paths, or all. Unknown targets are reported into `sink`.
std::vector<std::string> choose_clusters(OpenProject&, const std::vector<std::string>& targets);

}  // namespace capwright::cli
