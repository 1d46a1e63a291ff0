// CommitFiles over a TreeStore. Included only in this folder.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "git/repository.h"
#include "git/tree_store.h"

namespace capwright::git {

class StoredFiles final : public CommitFiles {
 public:
  // `tree` is the commit's tree; `root` is the working tree's directory, for absolute paths; relative paths start in
  // `folder` below it.
  StoredFiles(TreeStore& store, const ObjectId& tree, std::string root, std::string_view folder);

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  bool holds(PathAt file, std::string_view bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override;
  IoError real_path(PathAt path, std::string& real) override;
  IoError stat(PathAt path, FileStat& stat) override;
  IoError object_id(PathAt path, ObjectId& id) override;
  std::optional<ObjectId> unreadable() const override;
  IoError open_dir(PathAt directory, DirId& opened) override;
  void close_dir(DirId opened) override;

  IoError lock(DirId opened) override;
  IoError make_dir(PathAt directory, std::uint32_t mode) override;
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override;
  IoError link(PathAt existing, PathAt added) override;
  IoError rename(PathAt from, PathAt to) override;
  IoError exchange(PathAt one, PathAt other) override;
  IoError remove(PathAt file) override;
  IoError remove_dir(PathAt empty_directory) override;

 private:
  // The result of resolving a path: the directories above it, and the entry itself.
  struct Place {
    std::vector<ObjectId> above;  // trees, starting at the root
    std::uint32_t mode = kFolderMode;
    ObjectId id;
  };

  IoError start(PathAt path, Place& place, std::string& rest) const;
  IoError find(PathAt path, Place& place) const;
  IoError step_into(std::string_view name, Place& place) const;
  IoError follow(Place& link, std::string_view rest, std::string& target) const;
  // Passes on the result of reading an object, and remembers the first one that can't be read.
  IoError noted(const ObjectId& id, IoError error) const;

  TreeStore& store_;
  const ObjectId tree_;
  const std::string root_;
  const std::vector<std::string> folder_;
  mutable std::mutex mutex_;  // protects open_, next_id_ and unreadable_
  std::map<int, ObjectId> open_;
  int next_id_ = 3;
  mutable std::optional<ObjectId> unreadable_;
};

}  // namespace capwright::git
