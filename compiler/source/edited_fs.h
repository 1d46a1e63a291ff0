// A file system in which some files have another text than they really have: what an editor has not saved yet, what a
// fix would write.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "source/file_system_layer.h"

namespace capwright {

// Only who reads by a path in the working directory gets the edited texts: what lies below open directories, such as
// rendered trees, is as it is. Writing goes to the files themselves.
class EditedFs final : public FileSystemLayer {
 public:
  // `files` outlives it. `working_directory` is absolute, or empty when there is none; paths are compared as they are
  // spelled from there, and no link is followed.
  EditedFs(FileSystem& files, std::string working_directory)
      : FileSystemLayer(files), working_directory_(std::move(working_directory)) {}

  // A file need not exist. To be called before anything is read.
  void edit(std::string_view path, std::string text);

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError stat(PathAt path, FileStat& stat) override;

 private:
  const std::string* edited(PathAt file) const;
  std::string absolute(std::string_view path) const;

  std::string working_directory_;
  std::map<std::string, std::string> texts_;  // by absolute path
};

}  // namespace capwright
