// The paths that differ between two commits, or between a commit and the files on disk.
#include <algorithm>

#include "diag/catalog/git.h"
#include "git/local_repository.h"

namespace capwright::git {
namespace {

ObjectId known_id(const git_diff_file& file) {
  return (file.flags & GIT_DIFF_FLAG_VALID_ID) != 0 ? from_oid(&file.id) : ObjectId();
}

PathChange as_change(const git_diff_delta& delta) {
  PathChange change;
  const bool added = delta.status == GIT_DELTA_ADDED || delta.status == GIT_DELTA_UNTRACKED;
  if (added) change.kind = PathChange::Kind::Added;
  if (delta.status == GIT_DELTA_DELETED) change.kind = PathChange::Kind::Deleted;
  change.path = added ? delta.new_file.path : delta.old_file.path;
  if (!added) change.before = known_id(delta.old_file);
  if (change.kind != PathChange::Kind::Deleted) change.after = known_id(delta.new_file);
  return change;
}

std::vector<PathChange> changes_of(const git_diff* diff) {
  std::vector<PathChange> changes;
  for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i)
    changes.push_back(as_change(*git_diff_get_delta(diff, i)));
  // libgit2 sorts directories as if their names ended in a slash.
  std::sort(changes.begin(), changes.end(), [](const PathChange& a, const PathChange& b) { return a.path < b.path; });
  return changes;
}

git_diff_options diff_options() {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_SKIP_BINARY_CHECK;
  return options;
}

}  // namespace

std::optional<std::vector<PathChange>> LocalRepository::changes(const ObjectId& before, const ObjectId& after,
                                                                Sink& sink) {
  const TreeHandle old_tree = tree_object(before, sink), new_tree = tree_object(after, sink);
  if (old_tree == nullptr || new_tree == nullptr) return std::nullopt;
  const git_diff_options options = diff_options();
  DiffHandle diff;
  const int answer = receive(diff, [&](auto out) {
    return git_diff_tree_to_tree(out, repository_.get(), old_tree.get(), new_tree.get(), &options);
  });
  if (answer == 0) return changes_of(diff.get());
  sink.report(diag::unreadable_object, Span(), hex(after), reason(answer));
  return std::nullopt;
}

std::optional<std::vector<PathChange>> LocalRepository::changes_on_disk(const ObjectId& before, Sink& sink) {
  const TreeHandle tree = tree_object(before, sink);
  if (tree == nullptr) return std::nullopt;
  git_diff_options options = diff_options();
  // Without UPDATE_INDEX, with which `git status` records the times of unchanged files: the index belongs to the user,
  // and a process that is killed during the update leaves it locked.
  options.flags |= GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS;
  DiffHandle diff;
  const int answer = receive(diff, [&](auto out) {
    return git_diff_tree_to_workdir_with_index(out, repository_.get(), tree.get(), &options);
  });
  if (answer == 0) return changes_of(diff.get());
  sink.report(diag::unreadable_repository, Span(), shown(), reason(answer)).advise("run `git fsck` for details");
  return std::nullopt;
}

}  // namespace capwright::git
