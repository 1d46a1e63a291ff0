// A file system in which some files have another text than they really have: what an editor has not saved yet, what a
// fix would write.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright {

// Only who reads by a path in the working directory gets the edited texts: what lies below open directories, such as
// rendered trees, is as it is. Writing goes to the files themselves.
class EditedFs final : public FileSystem {
 public:
  // `files` outlives it. `working_directory` is absolute, or empty when there is none; paths are compared as they are
  // spelled from there, and no link is followed.
  EditedFs(FileSystem& files, std::string working_directory)
      : files_(files), working_directory_(std::move(working_directory)) {}

  // A file need not exist. To be called before anything is read.
  void edit(std::string_view path, std::string text);

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override { return files_.list(directory, entries); }
  IoError real_path(PathAt path, std::string& real) override { return files_.real_path(path, real); }
  IoError stat(PathAt path, FileStat& stat) override;
  IoError open_dir(PathAt directory, DirId& opened) override { return files_.open_dir(directory, opened); }
  void close_dir(DirId opened) override { files_.close_dir(opened); }
  IoError lock(DirId opened) override { return files_.lock(opened); }
  IoError make_dir(PathAt directory, std::uint32_t mode) override { return files_.make_dir(directory, mode); }
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override {
    return files_.create(file, bytes, mode);
  }
  IoError link(PathAt existing, PathAt added) override { return files_.link(existing, added); }
  IoError rename(PathAt from, PathAt to) override { return files_.rename(from, to); }
  IoError exchange(PathAt one, PathAt other) override { return files_.exchange(one, other); }
  IoError remove(PathAt file) override { return files_.remove(file); }
  IoError remove_dir(PathAt empty_directory) override { return files_.remove_dir(empty_directory); }

 private:
  const std::string* edited(PathAt file) const;
  std::string absolute(std::string_view path) const;

  FileSystem& files_;
  std::string working_directory_;
  std::map<std::string, std::string> texts_;  // by absolute path
};

}  // namespace capwright
