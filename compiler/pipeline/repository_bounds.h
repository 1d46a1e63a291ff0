// What belongs to the repository. Who proposes a change to it can write any path and any link; what these lead to on
// the machine that looks at the change isn't theirs to see.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system_layer.h"

namespace capwright {

// `path` is in `folder`, or is it; both without `/` at their ends.
bool is_in(std::string_view path, std::string_view folder);

class RepositoryBounds {
 public:
  // Of the nearest folder at or above `folder` that holds `.git`; without one, of this one.
  RepositoryBounds(FileSystem& fs, const std::string& folder);

  // A word of the command line. If it is a path that is spelled out of the repository, the user's own choice, that and
  // all below it may be touched. A path into the repository stays under its rules: a change can put a link there, and
  // pipelines name the files of a change.
  void add_word(const std::string& working_directory, std::string_view word);
  // For a cluster in another repository that the user names: its layers are there, too.
  void add_work_tree_of(const std::string& working_directory, const std::string& file);

  // Whether a path, which need not be there, stays inside through all links, and out of `.git`: that has credentials of
  // remotes.
  bool have(const std::string& path) const;

 private:
  bool is_spelled_inside(const std::string& working_directory, const std::string& path) const;

  FileSystem* fs_;
  std::vector<std::string> roots_;  // real; the repository's is the first
};

// Files inside of bounds, whoever asks. What is outside answers kOutOfBounds, but stat(), which shows nothing of a
// file. Below an open directory nothing is looked at: what was opened is inside, and no path leaves it.
class BoundedFs final : public FileSystemLayer {
 public:
  using FileSystemLayer::FileSystemLayer;

  // Null: none, as in the beginning. Outlives all calls.
  void keep_to(const RepositoryBounds* bounds) { bounds_ = bounds; }

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override;
  IoError open_dir(PathAt directory, DirId& opened) override;
  IoError make_dir(PathAt directory, std::uint32_t mode) override;
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override;
  IoError rename(PathAt from, PathAt to) override;
  IoError remove(PathAt file) override;

 private:
  bool is_outside(PathAt path) const;

  const RepositoryBounds* bounds_ = nullptr;
};

// Whether a real path lies in a real folder, and in no `.git` of it.
bool is_among_files(std::string_view path, std::string_view folder);

// The real path; where that can't be known, which nobody can read then, the path as it is.
std::string real_path_of(FileSystem& fs, const std::string& path);

}  // namespace capwright
