// Links are followed for files, as reading does, but not for folders: a link to a folder may lead around in a circle.
#include "workflow/watched_files.h"

#include <filesystem>
#include <utility>

namespace capwright::workflow {
namespace {

// Folders with many files that no render reads.
bool is_skipped(const std::string& name) { return name == ".git" || name == "node_modules" || name == ".terraform"; }

}  // namespace

WatchedFiles::WatchedFiles(std::string root, std::string tree)
    : root_(root.empty() ? "." : std::move(root)), tree_(std::move(tree)), stamps_(look()) {}

void WatchedFiles::add(const std::string& shown, Stamps& stamps) const {
  if (const auto stamp = real_stamp(std::filesystem::path(root_) / shown)) stamps.emplace(shown, *stamp);
}

void WatchedFiles::add_folder(const std::string& shown, Stamps& stamps) const {
  std::error_code failed;
  std::filesystem::directory_iterator entries(std::filesystem::path(root_) / shown, failed);
  for (; !failed && entries != std::filesystem::directory_iterator(); entries.increment(failed)) {
    if (stamps.size() >= kMostFiles) return;
    const std::string name = entries->path().filename().string();
    const std::string path = shown.empty() ? name : shown + "/" + name;
    std::error_code unknown;
    const bool is_folder = entries->is_directory(unknown) && !entries->is_symlink(unknown);
    if (!is_folder || shown == tree_) add(path, stamps);
    else if (!is_skipped(name)) add_folder(path, stamps);
  }
}

WatchedFiles::Stamps WatchedFiles::look() const {
  Stamps stamps;
  add_folder("", stamps);
  add(".git/HEAD", stamps);
  add(".git/logs/HEAD", stamps);
  return stamps;
}

std::vector<std::string> WatchedFiles::changed() {
  const Stamps before = std::exchange(stamps_, look());
  std::vector<std::string> paths;
  for (const auto& [path, stamp] : before) {
    const auto now = stamps_.find(path);
    if (now == stamps_.end() || now->second != stamp) paths.push_back(path);
  }
  for (const auto& [path, stamp] : stamps_) {
    if (!before.contains(path)) paths.push_back(path);
  }
  return paths;
}

}  // namespace capwright::workflow
