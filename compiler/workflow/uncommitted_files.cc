// Reads the repository only if a file differs.
#include "workflow/uncommitted_files.h"

#include <algorithm>
#include <filesystem>

#include "pipeline/repository_bounds.h"

namespace capwright::workflow {

UncommittedFiles::UncommittedFiles(OpenProject& open)
    : open_(open), by_plugin_(*open.project, capwright::folder_in_git(open.files, open.output_folder(std::nullopt))) {}

void UncommittedFiles::drop_from(std::vector<TreeDifference>& differences, const std::string& cluster) {
  if (differences.empty() || !by_plugin_.has(cluster)) return;
  if (ignored_ == nullptr) {
    const std::string& prefix = open_.project->workspace().prefix;
    std::error_code failed;
    ignored_ = std::make_unique<git::IgnoredFiles>(prefix.empty() ? "." : prefix);
    output_ = std::filesystem::weakly_canonical(open_.output_folder(std::nullopt), failed).string() + "/";
  }
  std::erase_if(differences, [&](const TreeDifference& each) { return ignored_->has(output_ + each.path); });
}

}  // namespace capwright::workflow
