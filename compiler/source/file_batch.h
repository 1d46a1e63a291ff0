// Several files that become new together.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

// The new texts are on the disk, each beside its file, before the first file is replaced: where there is no room for
// all of them, every file stays as it was. A process that is killed meanwhile leaves files that are old or new each.
class FileBatch {
 public:
  explicit FileBatch(FileSystem& fs) : fs_(fs) {}
  FileBatch(const FileBatch&) = delete;
  FileBatch& operator=(const FileBatch&) = delete;
  // What was added and isn't in place is gone.
  ~FileBatch();

  // What `path` is to become. EISDIR for a directory; a link is replaced, not followed.
  IoError add(const std::string& path, std::string_view bytes, std::uint32_t mode = kFileMode);
  // Puts all in place, in the order in which they were added, up to the first that can't be: that is `failed`.
  IoError put(std::string& failed);
  // How many are not in place.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  FileSystem& fs_;
  std::vector<std::string> waiting_;  // paths whose new texts lie beside them
};

// `file` with these bytes, under the name that it has until it is renamed to its own.
std::string path_beside(std::string_view path);
IoError create_beside(FileSystem& fs, PathAt file, std::string_view bytes, std::uint32_t mode);

}  // namespace capwright
