// The files of a new repository: built-in examples for a cloud, and for the repository's hosting.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright::workflow {

struct ScaffoldRequest {
  std::string folder = ".";         // may exist, and may have files
  std::string provider;             // one of scaffold_providers()
  std::optional<std::string> host;  // one of scaffold_hosts(); empty: no pipeline
};

struct ScaffoldFile {
  std::string path;  // relative to the folder
  std::string_view text;
};

// The values of `provider` with examples: `aws`, `azure`, `oci`, `openstack`.
std::vector<std::string_view> scaffold_providers();
// Hosts of Git repositories with examples of pipelines: `gitea`, `github`, `gitlab`.
std::vector<std::string_view> scaffold_hosts();

// Sorted by path. `golden/<set>/prod/values.yaml` is a copy of a cluster's values; its tree isn't part of it.
std::vector<ScaffoldFile> scaffold_files(const ScaffoldRequest&);

struct Scaffolded {
  std::vector<std::string> written, existing;  // paths as in ScaffoldFile; existing files aren't changed
  std::string failed;                          // a path that can't be written; empty: none
  IoError error;
};
// Writes the files that don't exist. Stops at the first error.
Scaffolded write_scaffold(std::span<const ScaffoldFile>, const std::string& folder, FileSystem&);

}  // namespace capwright::workflow
