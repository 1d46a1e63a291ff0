// The shown name of a file that the user names: one file has one name, however it was typed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "pipeline/config.h"
#include "workflow/requests.h"

namespace capwright::workflow {

// For many paths in sequence, most of them in one folder.
class ShownPaths {
 public:
  // The workspace must outlive it.
  explicit ShownPaths(const Workspace& workspace) : workspace_(workspace) {}

  // Converts a typed path, relative or absolute: relative to the root if it is in the repository, whatever links and
  // `..` it contains. Other absolute paths stay absolute.
  std::string of(const std::string& typed);

 private:
  bool is_root(const std::filesystem::path& folder);
  const std::optional<std::filesystem::path>& way_to_root(const std::filesystem::path& folder);

  const Workspace& workspace_;
  std::optional<std::filesystem::path> root_;  // without links; empty: there is none
  std::filesystem::path folder_;               // the last folder
  std::optional<std::filesystem::path> way_;   // its path below the root, as written
};

// For a single path.
std::string shown_path(const Workspace& workspace, const std::string& typed);

// Why a file that the user named isn't written: as it is spelled, it is in the repository of the working directory, but
// a link leads out of it. A pipeline writes reports into the checkout of a change, which can have links. Empty: it may
// be written.
std::optional<std::string> why_not_written(const RepositoryOptions& repository, const std::string& path);

}  // namespace capwright::workflow
