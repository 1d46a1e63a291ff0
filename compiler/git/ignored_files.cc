// The index says what is committed: a pipeline checks out a commit, and a hook runs before one.
#include "git/ignored_files.h"

#include "git/libgit2.h"

namespace capwright::git {
namespace {

using IndexHandle = Handle<git_index, git_index_free>;

}  // namespace

struct IgnoredFiles::Opened {
  Library library;  // before all handles, so that it is destroyed last
  RepositoryHandle repository;
  IndexHandle index;
  std::string root;  // with a slash at the end
};

IgnoredFiles::IgnoredFiles(const std::string& folder) {
  auto opened = std::make_unique<Opened>();
  if (receive(opened->repository, [&](auto out) { return git_repository_open_ext(out, folder.c_str(), 0, nullptr); }) !=
      0)
    return;
  const char* root = git_repository_workdir(opened->repository.get());
  if (root == nullptr) return;
  opened->root = root;
  if (receive(opened->index, [&](auto out) { return git_repository_index(out, opened->repository.get()); }) != 0)
    return;
  opened_ = std::move(opened);
}

IgnoredFiles::~IgnoredFiles() = default;

bool IgnoredFiles::has(const std::string& absolute) const {
  return opened_ != nullptr && absolute.starts_with(opened_->root) &&
         has_in_tree(absolute.substr(opened_->root.size()));
}

bool IgnoredFiles::has_in_tree(const std::string& path) const {
  if (opened_ == nullptr) return false;
  if (git_index_get_bypath(opened_->index.get(), path.c_str(), 0) != nullptr) return false;
  int ignored = 0;
  return git_ignore_path_is_ignored(&ignored, opened_->repository.get(), path.c_str()) == 0 && ignored != 0;
}

}  // namespace capwright::git
