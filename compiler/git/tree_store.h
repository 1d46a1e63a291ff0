// Directories of commits as Git stores them, each read once and cached. Included only in this folder.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "git/libgit2.h"
#include "source/file_system.h"

namespace capwright::git {

// Git's modes, which give the type of an entry.
inline constexpr std::uint32_t kFolderMode = 040000, kLinkMode = 0120000, kSubmoduleMode = 0160000, kTypeBits = 0170000,
                               kExecutableBits = 0111;

struct TreeEntry {
  std::string_view name;  // lives as long as its Tree
  std::uint32_t mode = 0;
  ObjectId id;

  bool is_folder() const { return (mode & kTypeBits) == kFolderMode; }
  FileType type() const;
};

// The entries of one directory, sorted by the bytes of their names (Git sorts directories with a trailing slash).
class Tree {
 public:
  const std::vector<TreeEntry>& entries() const { return entries_; }
  // Null if there is no such entry.
  const TreeEntry* find(std::string_view name) const;

 private:
  friend class TreeStore;
  OdbObjectHandle object_;
  std::vector<TreeEntry> entries_;
};
using TreePtr = std::shared_ptr<const Tree>;

// Thread-safe, like git_odb.
class TreeStore {
 public:
  // `odb` may be null only if nothing is read.
  explicit TreeStore(OdbHandle odb) : odb_(std::move(odb)) {}

  // ENODATA if the object doesn't exist or isn't a tree. The zero id is the empty directory.
  IoError tree(const ObjectId& id, TreePtr& tree);
  // A file's bytes, or a link's target. EFBIG above `max_bytes`.
  IoError blob(const ObjectId& id, std::string& bytes, std::uint64_t max_bytes);
  IoError blob_size(const ObjectId& id, std::uint64_t& size);
  git_odb* odb() const { return odb_.get(); }

 private:
  OdbHandle odb_;
  std::mutex mutex_;  // protects trees_
  std::unordered_map<ObjectId, TreePtr, ObjectIdHash> trees_;
};

}  // namespace capwright::git
