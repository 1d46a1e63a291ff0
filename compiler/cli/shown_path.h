// What a file that the user names is called: one file has one name, however it was typed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "pipeline/config.h"

namespace capwright::cli {

// For many paths one after the other, which mostly lie in one folder.
class ShownPaths {
 public:
  // The workspace outlives it.
  explicit ShownPaths(const Workspace& workspace) : workspace_(workspace) {}

  // A path as it was typed, relative or absolute: relative to the root if it lies in the repository, whichever links
  // and `..` lead there. Another absolute path stays one.
  std::string of(const std::string& typed);

 private:
  bool is_root(const std::filesystem::path& folder);
  const std::optional<std::filesystem::path>& way_to_root(const std::filesystem::path& folder);

  const Workspace& workspace_;
  std::optional<std::filesystem::path> root_;  // without links; empty: there is none
  std::filesystem::path folder_;               // that was asked for last
  std::optional<std::filesystem::path> way_;   // from where it lies below the root, as it is written
};

// Of a single path.
std::string shown_path(const Workspace& workspace, const std::string& typed);

}  // namespace capwright::cli
