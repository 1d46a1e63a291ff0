// The files of a new repository: built-in examples for a cloud, and for the repository's hosting.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/template_set.h"
#include "source/file_system.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

struct ScaffoldRequest {
  std::string folder = ".";          // may exist, and may have files
  std::string provider;              // one of scaffold_providers(), or a folder with a template set
  std::optional<KnownSet> own = {};  // this set, as read_set() returns it: a copy of it renders the clusters
  std::optional<std::string> host;   // one of scaffold_hosts(); empty: no pipeline
  bool argocd = false;               // what Argo CD needs once
  bool vscode = false;               // settings of VS Code, with the schemas of values files and layers
};

struct ScaffoldFile {
  std::string path;  // relative to the folder
  std::string text;
};

// The values of `provider` with examples: `aws`, `azure`, `oci`, `openstack`.
std::vector<std::string_view> scaffold_providers();
// Hosts of Git repositories with examples of pipelines: `gitea`, `github`, `gitlab`.
std::vector<std::string_view> scaffold_hosts();

// Id of the set that renders the clusters.
std::string rendering_set(const ScaffoldRequest&);
// Whether scaffold_files() includes values: there are examples for the set's cloud.
bool has_examples(const ScaffoldRequest&);

// Sorted by path. `golden/<set>/prod/values.yaml` is a copy of a cluster's values; its tree isn't part of it.
std::vector<ScaffoldFile> scaffold_files(const ScaffoldRequest&);

// Adds where the folder is in its Git working tree, as `argocd.path`. With `argocd`, also replaces the example's Git
// URL by that of the remote `origin`, without credentials, if Argo CD can read from such an address.
void fit_to_git(const ScaffoldRequest&, std::vector<ScaffoldFile>&);

// Files that depend on the values of the repository, which is written already.
std::vector<ScaffoldFile> derived_files(const ScaffoldRequest&, OpenProject&);

struct Scaffolded {
  std::vector<std::string> written, existing;  // paths as in ScaffoldFile; existing files aren't changed
  std::string failed;                          // a path that can't be written; empty: none
  IoError error;
};
// Writes the files that don't exist. Stops at the first error.
Scaffolded write_scaffold(std::span<const ScaffoldFile>, const std::string& folder, FileSystem&);

}  // namespace capwright::workflow
