// The common start of commands that compile clusters: finds the repository, and loads its configuration and template
// sets.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/project.h"
#include "pipeline/repository_bounds.h"
#include "report/finding.h"
#include "source/edited_fs.h"
#include "source/real_fs.h"
#include "source/real_system.h"
#include "source/recording_fs.h"
#include "workflow/requests.h"

namespace capwright::workflow {

// Whether an environment variable is set, and not to `false`.
bool is_switched_on(const char* variable);

// A project with the data that findings about its configuration point into.
struct OpenProject {
  explicit OpenProject(const std::string& working_directory)
      : fs(recorded, working_directory), here(working_directory) {}

  RealFs files;
  BoundedFs inside{files};                 // the files that the command may access
  RecordingFs recorded{inside};            // records only with OpenRequest::records_files
  EditedFs fs;                             // these files, with the texts of OpenRequest::edits
  std::string here;                        // the working directory
  std::optional<RepositoryBounds> bounds;  // empty: `--allow-outside`
  RealPrograms programs;
  bool runs_sources = false;  // RepositoryOptions::run_sources
  SourceSet sources;          // capwright.yaml
  Sink sink;
  Arena arena;
  OriginTable origins;
  Limits limits;
  Progress* progress = nullptr;      // RepositoryOptions::progress
  std::unique_ptr<Project> project;  // null: the configuration has errors, they are in `sink`

  // The `output` that the user gave, otherwise the configured one; relative to the working directory.
  std::string output_folder(const std::optional<std::string>& given) const;
  // The folder of the repository in its Git working tree, "" or "fleet/".
  std::string folder_in_git();
};

struct OpenRequest {
  RepositoryOptions repository;
  ValueOptions values;
  std::optional<PlainTemplates> plain;
  bool writes;                        // rendered files are written, or compared with written ones …
  std::optional<std::string> output;  // … here, otherwise in the configured folder
  std::string templated_addon = {};   // ProjectOptions::templated_addon
  bool upgrade_set = false;           // ProjectOptions::upgrade_set
  bool force = false;                 // ProjectOptions::force
  bool forget_removed = false;        // ProjectOptions::forget_removed
  bool encrypts = false;              // ProjectOptions::encrypts
  bool reencrypt = false;             // ProjectOptions::reencrypt
  bool keeps_manifests = false;       // ProjectOptions::keeps_manifests
  bool records_files = false;         // OpenProject::recorded records from the beginning; then for one thread at a time
  // A file, as typed, whose text comes from standard input, such as an editor's unsaved buffer. A text longer than the
  // limit for files isn't read.
  std::optional<std::string> edited_file = {};
  // Texts that replace files, by shown path; null: none.
  const std::map<std::string, std::string, std::less<>>* edits = nullptr;
};
std::unique_ptr<OpenProject> open_project(const OpenRequest&);

// The folder of the repository in its Git working tree, "" or "fleet/"; "" for `--isolated`.
std::string folder_in_git(const RepositoryOptions&);

// Adds the findings about the configuration, which may be a Secret that was named by mistake, and those of the project
// and the template sets, before those of clusters.
void add_own_findings(OpenProject& open, report::Findings& findings);
void add_project_findings(OpenProject& open, report::Findings& findings);

// The values files of the requested clusters: names, paths, or all. Reports unknown targets into `sink`.
std::vector<std::string> choose_clusters(OpenProject&, const std::vector<std::string>& targets);

}  // namespace capwright::workflow
