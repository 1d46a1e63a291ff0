// New objects of a commit, written at once: one file instead of thousands. Included by this folder alone.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "git/libgit2.h"

namespace capwright::git {

enum class ObjectKind : std::uint8_t { Commit = 1, Tree = 2, Blob = 3 };  // as in packs

// What Git calls an object of these bytes.
ObjectId object_id(ObjectKind kind, std::string_view bytes);

class PackWriter {
 public:
  // Outlived by `odb`.
  explicit PackWriter(git_odb* odb) : odb_(odb) {}

  // Keeps the object for write(), unless the repository has it.
  void add(ObjectKind kind, const ObjectId& id, std::string_view bytes);
  // Few objects become a file each, as `git commit` makes them, more a pack. libgit2's answer.
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
