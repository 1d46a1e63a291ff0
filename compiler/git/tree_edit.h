// Derives new trees from old ones: rewrites the directories above changed paths and keeps all others. Included only in
// this folder.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "git/commit.h"
#include "git/pack_writer.h"
#include "git/tree_store.h"

namespace capwright::git {

class TreeEdit {
 public:
  TreeEdit(TreeStore& store, PackWriter& writer) : store_(store), writer_(writer) {}

  // Adds a change. False: its path can't be in a commit, or conflicts with another change; the Sink has the reason.
  bool add(const FileChange& change, Sink&);
  // The tree that results from applying the changes to `base` (zero: empty); passes new objects to the writer. False: a
  // change doesn't match the existing files, or a directory can't be read.
  bool apply(const ObjectId& base, ObjectId& made, Sink&);

 private:
  struct Node {
    std::map<std::string, Node, std::less<>> children;
    const FileChange* change = nullptr;
  };
  struct Entry {
    std::uint32_t mode = 0;
    ObjectId id;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  bool apply_to_folder(const ObjectId& base, const Node& node, const std::string& path, ObjectId& made);
  bool apply_to_entry(Entries& entries, const std::string& name, const Node& node, const std::string& path);
  bool refuse(const std::string& path, std::string_view why);

  TreeStore& store_;
  PackWriter& writer_;
  Node top_;
  Sink* sink_ = nullptr;
};

}  // namespace capwright::git
