// Reads the repository only if a file differs.
#include "workflow/uncommitted_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "pipeline/repository_bounds.h"

namespace capwright::workflow {

UncommittedFiles::UncommittedFiles(OpenProject& open)
    : open_(open), by_plugin_(*open.project, capwright::folder_in_git(open.files, open.output_folder(std::nullopt))) {}

const git::IgnoredFiles& UncommittedFiles::ignored() {
  if (ignored_ == nullptr) {
    const std::string& prefix = open_.project->workspace().prefix;
    std::error_code failed;
    ignored_ = std::make_unique<git::IgnoredFiles>(prefix.empty() ? "." : prefix);
    output_ = std::filesystem::weakly_canonical(open_.output_folder(std::nullopt), failed).string() + "/";
  }
  return *ignored_;
}

bool UncommittedFiles::has_all_of(const std::string& cluster) {
  const git::IgnoredFiles& files = ignored();
  std::error_code failed;
  std::filesystem::recursive_directory_iterator entry(output_ + "clusters/" + cluster, failed), end;
  for (; !failed && entry != end; entry.increment(failed)) {
    if (!entry->is_directory(failed) && !files.has(entry->path().string())) return false;
  }
  return !failed;
}

void UncommittedFiles::add_local_clusters(const OutputTree& tree, std::set<std::string>& names) {
  for (std::string& name : unclaimed_clusters(tree, names)) {
    if (has_all_of(name)) names.insert(std::move(name));
  }
}

void UncommittedFiles::drop_from(std::vector<TreeDifference>& differences, const std::string& cluster) {
  if (differences.empty() || !by_plugin_.has(cluster)) return;
  const git::IgnoredFiles& files = ignored();
  std::erase_if(differences, [&](const TreeDifference& each) { return files.has(output_ + each.path); });
}

}  // namespace capwright::workflow
