// A file system that replaces the text of some files: with the unsaved buffer of an editor, or with the result of a
// fix.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "source/file_system_layer.h"

namespace capwright {

// Only reads by a path from the working directory return edited texts. Files below open directories, such as rendered
// trees, are unchanged, and writes go to the real files.
class EditedFs final : public FileSystemLayer {
 public:
  // `files` outlives it. `working_directory` is absolute, or empty if there is none. Paths are compared as they are
  // spelled from there; links aren't followed.
  EditedFs(FileSystem& files, std::string working_directory)
      : FileSystemLayer(files), working_directory_(std::move(working_directory)) {}

  // The file need not exist. Not while another thread reads.
  void edit(std::string_view path, std::string text);
  // The file has its own text again.
  void revert(std::string_view path);
  // The text that replaces the file's own; null: none does.
  const std::string* edited(PathAt file) const;

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError stat(PathAt path, FileStat& stat) override;

 private:
  std::string absolute(std::string_view path) const;

  std::string working_directory_;
  std::map<std::string, std::string> texts_;  // by absolute path
};

}  // namespace capwright
