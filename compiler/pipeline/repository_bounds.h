// The files that belong to the repository. The author of a proposed change can write any path and any link; these must
// not reveal files of the machine that checks the change.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system_layer.h"

namespace capwright {

// The folder below the top of its Git working tree: "fleet/"; "" for the top itself, and outside of one.
std::string folder_in_git(FileSystem& fs, const std::string& folder);

// Without `.`, inner `..` and a `/` at the end.
std::string normal_path(std::string_view path);

// Whether `path` equals `folder` or is below it; both without a trailing `/`.
bool is_in(std::string_view path, std::string_view folder);

class RepositoryBounds {
 public:
  // The bounds of the nearest folder at or above `folder` with `.git`; without one, of `folder` itself.
  RepositoryBounds(FileSystem& fs, const std::string& folder);

  // Adds a word of the command line. If it is a path that is spelled as leaving the repository, the user chose it, so
  // it and everything below it may be read. A path into the repository stays restricted: a change can put a link there,
  // and pipelines pass the files of a change.
  void add_word(const std::string& working_directory, std::string_view word);
  // For a cluster in another repository that the user names: its layers are there, too.
  void add_work_tree_of(const std::string& working_directory, const std::string& file);

  // Whether a path, as spelled, is in the repository, but a link leads it out, or into `.git`. A change can put a link
  // there, so a file that a pipeline writes would land anywhere on its machine.
  bool is_led_outside(const std::string& working_directory, const std::string& path) const;

  // Whether a path, which needn't exist, stays inside through all links, and outside of `.git`, which contains
  // credentials of remotes.
  bool have(const std::string& path) const;

  // The top of the repository, a real path.
  const std::string& top() const { return roots_.front(); }

 private:
  bool is_spelled_inside(const std::string& working_directory, const std::string& path) const;

  FileSystem* fs_;
  std::vector<std::string> roots_;  // real paths; the repository's is the first
};

// Restricts all file access to the bounds. Paths outside fail with kOutOfBounds, except for stat(), which reveals no
// contents. Paths below an open directory aren't checked: the directory is inside, and no such path leaves it.
class BoundedFs final : public FileSystemLayer {
 public:
  using FileSystemLayer::FileSystemLayer;

  ~BoundedFs() override;

  // Without it there is no restriction. `bounds` must outlive all calls. `working_directory` is absolute.
  void keep_to(const RepositoryBounds& bounds, const std::string& working_directory);

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override;
  IoError open_dir(PathAt directory, DirId& opened) override;
  IoError make_dir(PathAt directory, std::uint32_t mode) override;
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override;
  IoError rename(PathAt from, PathAt to) override;
  IoError remove(PathAt file) override;

 private:
  bool is_outside(PathAt path) const;
  std::optional<std::string> path_from_top(std::string_view path) const;
  template <class Call>
  IoError call_inside(PathAt path, Call call);

  const RepositoryBounds* bounds_ = nullptr;
  DirId top_ = DirId::WorkingDirectory;  // of the repository; not opened: the working directory isn't in it
  std::string below_;                    // the working directory from there: "" or "fleet/"
};

// Whether a real path is in a real folder, and not in a `.git` of it.
bool is_among_files(std::string_view path, std::string_view folder);

// The real path; if it can't be determined, and so the file not read, the path unchanged.
std::string real_path_of(FileSystem& fs, const std::string& path);

}  // namespace capwright
