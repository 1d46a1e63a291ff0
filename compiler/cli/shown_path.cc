// Only a path that leaves the root by its letters is looked up among real folders: most don't.
#include "cli/shown_path.h"

#include <filesystem>

namespace capwright::cli {
namespace {

namespace files = std::filesystem;

bool leaves_root(const std::string& shown) {
  return shown.starts_with('/') || shown == ".." || shown.starts_with("../");
}

}  // namespace

std::string shown_path(const Workspace& workspace, const std::string& typed) {
  std::string shown = workspace.shown_path(typed);
  if (!leaves_root(shown)) return shown;
  std::error_code failed;
  const files::path root = files::canonical(workspace.prefix.empty() ? "." : workspace.prefix, failed);
  if (failed) return shown;
  const files::path absolute = files::absolute(typed, failed).lexically_normal();
  if (failed) return shown;
  // The first folder on the way that is the root: links above it lead there, those below it keep their names.
  files::path way;
  for (const files::path& name : absolute) {
    way /= name;
    if (files::canonical(way, failed) == root && !failed) return absolute.lexically_relative(way).string();
    if (failed) break;
  }
  return shown;
}

}  // namespace capwright::cli
