// Writes the new objects of a commit together: one file instead of thousands. Included only in this folder.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "git/libgit2.h"

namespace capwright::git {

enum class ObjectKind : std::uint8_t { Commit = 1, Tree = 2, Blob = 3 };  // as in packs

// Git's name for an object with these bytes.
ObjectId object_id(ObjectKind kind, std::string_view bytes);

class PackWriter {
 public:
  // `odb` must outlive it.
  explicit PackWriter(git_odb* odb) : odb_(odb) {}

  // Adds the object for write(), unless the repository has it.
  void add(ObjectKind kind, const ObjectId& id, std::string_view bytes);
  // Writes few objects as one file each, like `git commit`, and more as a pack. Returns libgit2's code.
  int write();

 private:
  struct Object {
    ObjectKind kind;
    std::string bytes;
  };
  bool has(const ObjectId& id);
  std::string pack() const;

  git_odb* odb_;
  std::vector<Object> objects_;
  std::unordered_set<ObjectId, ObjectIdHash> known_;
};

}  // namespace capwright::git
