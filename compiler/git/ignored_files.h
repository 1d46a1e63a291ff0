// Files that no commit will have.
#pragma once
#include <memory>
#include <string>

namespace capwright::git {

class IgnoredFiles {
 public:
  // Of the repository that the folder is in. Without one, no file counts as ignored.
  explicit IgnoredFiles(const std::string& folder);
  ~IgnoredFiles();
  IgnoredFiles(const IgnoredFiles&) = delete;
  IgnoredFiles& operator=(const IgnoredFiles&) = delete;

  // Whether Git ignores the file, which needn't exist, and its index lacks it. A file that is ignored and committed
  // isn't among them.
  bool has(const std::string& absolute) const;
  // The same by the path from the top of the working tree.
  bool has_in_tree(const std::string& path) const;

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;  // null: there is no repository
};

}  // namespace capwright::git
