// What belongs to the repository. Who proposes a change to it can write any path and any link; what these lead to on
// the machine that looks at the change isn't theirs to see.
#pragma once
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright {

// `path` is in `folder`, or is it; both without `/` at their ends.
bool is_in(std::string_view path, std::string_view folder);

class RepositoryBounds {
 public:
  // Of the nearest folder at or above `folder` that holds `.git`; without one, of this one.
  RepositoryBounds(FileSystem& fs, const std::string& folder);

  // Whether a path, which need not be there, stays inside through all links, and out of `.git`: that has credentials of
  // remotes.
  bool have(const std::string& path) const;

 private:
  FileSystem& fs_;
  std::string root_;  // real
};

// Whether a real path lies in a real folder, and in no `.git` of it.
bool is_among_files(std::string_view path, std::string_view folder);

// The real path; where that can't be known, which nobody can read then, the path as it is.
std::string real_path_of(FileSystem& fs, const std::string& path);

}  // namespace capwright
