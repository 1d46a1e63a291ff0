// All is compared by real paths: letters of a path say nothing where links are.
#include "pipeline/repository_bounds.h"

#include <filesystem>

namespace capwright {
namespace {

std::string work_tree_of(FileSystem& fs, const std::string& folder) {
  FileStat stat;
  for (std::filesystem::path path = folder; path.has_relative_path(); path = path.parent_path()) {
    if (path.filename() == ".git") break;  // a hook's working directory
    if (!fs.stat((path / ".git").string(), stat)) return path.string();
  }
  return folder;
}

}  // namespace

bool is_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_among_files(std::string_view path, std::string_view folder) {
  if (folder == "/") folder = "";
  if (!is_in(path, folder)) return false;
  const std::string below = std::string(path.substr(folder.size())) + "/";
  return below.find("/.git/") == std::string::npos;
}

std::string real_path_of(FileSystem& fs, const std::string& path) {
  std::string real;
  if (fs.real_path(path, real)) return path;
  if (real.size() > 1 && real.ends_with('/')) real.pop_back();
  return real;
}

RepositoryBounds::RepositoryBounds(FileSystem& fs, const std::string& folder)
    : fs_(fs), root_(work_tree_of(fs, real_path_of(fs, folder.empty() ? "." : folder))) {}

bool RepositoryBounds::have(const std::string& path) const {
  return is_among_files(real_path_of(fs_, path.empty() ? "." : path), root_);
}

}  // namespace capwright
