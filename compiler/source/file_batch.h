// Replaces several files together.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

// All new texts are on disk, each beside its file, before the first file is replaced: if the disk is full, every file
// stays unchanged. If the process is killed, each file is either old or new.
class FileBatch {
 public:
  explicit FileBatch(FileSystem& fs) : fs_(fs) {}
  FileBatch(const FileBatch&) = delete;
  FileBatch& operator=(const FileBatch&) = delete;
  // Removes the files that were added but not put in place.
  ~FileBatch();

  // Sets the new content of `path`. EISDIR for a directory; a link is replaced, not followed.
  IoError add(const std::string& path, std::string_view bytes, std::uint32_t mode = kFileMode);
  // Renames all files into place, in the order in which they were added. Stops at the first error and sets `failed`.
  IoError put(std::string& failed);
  // The number of files that aren't in place.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  FileSystem& fs_;
  std::vector<std::string> waiting_;  // paths whose new texts are on disk beside them
};

// The temporary name for `file` with these bytes, until it is renamed.
std::string path_beside(std::string_view path);
IoError create_beside(FileSystem& fs, PathAt file, std::string_view bytes, std::uint32_t mode);

}  // namespace capwright
