// The files of a commit in a temporary folder, for programs that can't read Git's objects.
#pragma once
#include <string>

#include "git/repository.h"

namespace capwright::workflow {

class ExportedCommit {
 public:
  ExportedCommit() = default;
  ExportedCommit(const ExportedCommit&) = delete;
  ExportedCommit& operator=(const ExportedCommit&) = delete;
  ~ExportedCommit();

  // Writes all files of the repository as committed; a link becomes what it leads to inside the commit. Only the user
  // can read the folder, which is removed at the end. Returns false after an error.
  bool write(git::Repository& repository, const git::ObjectId& commit, Sink& sink);
  // The folder for a path below the top of the repository.
  std::string folder(const std::string& below_top) const { return below_top.empty() ? root_ : root_ + "/" + below_top; }

 private:
  std::string root_;  // empty: nothing was written
};

}  // namespace capwright::workflow
