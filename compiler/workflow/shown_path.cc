// Only resolves real folders for a path that is spelled as leaving the root: most paths aren't.
#include "workflow/shown_path.h"

namespace capwright::workflow {
namespace {

namespace files = std::filesystem;

bool leaves_root(const std::string& shown) {
  return shown.starts_with('/') || shown == ".." || shown.starts_with("../");
}

}  // namespace

bool ShownPaths::is_root(const files::path& folder) {
  std::error_code failed;
  if (!root_) {
    root_ = files::canonical(workspace_.prefix.empty() ? "." : workspace_.prefix, failed);
    if (failed) root_->clear();
  }
  return !root_->empty() && files::canonical(folder, failed) == *root_ && !failed;
}

// The first folder on the path that is the root: resolves links above it, and keeps the names of those below it.
const std::optional<files::path>& ShownPaths::way_to_root(const files::path& folder) {
  if (folder == folder_) return way_;
  folder_ = folder;
  way_.reset();
  files::path way;
  for (const files::path& name : folder) {
    way /= name;
    if (is_root(way)) return way_ = way;
  }
  return way_;
}

std::string ShownPaths::of(const std::string& typed) {
  std::string shown = workspace_.shown_path(typed);
  if (!leaves_root(shown)) return shown;
  std::error_code failed;
  const files::path absolute = files::absolute(typed, failed).lexically_normal();
  if (failed) return shown;
  if (const auto& way = way_to_root(absolute.parent_path())) return absolute.lexically_relative(*way).string();
  const bool is_folder = files::is_directory(absolute, failed) && !failed;
  return is_folder && is_root(absolute) ? "." : shown;
}

std::string shown_path(const Workspace& workspace, const std::string& typed) { return ShownPaths(workspace).of(typed); }

}  // namespace capwright::workflow
