// The operating system's files (Linux).
#pragma once
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright {

// Stateless: all threads may share one.
class RealFs final : public FileSystem {
 public:
  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override;
  IoError real_path(PathAt path, std::string& real) override;
  IoError stat(PathAt path, FileStat& stat) override;
  IoError open_dir(PathAt directory, DirId& opened) override;
  void close_dir(DirId opened) override;
  // If the system can't lock a directory (NFS), this returns no error and locks nothing.
  IoError lock(DirId opened) override;
  IoError make_dir(PathAt directory, std::uint32_t mode) override;
  void take_after(PathAt directory, PathAt model) override;
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override;
  IoError link(PathAt existing, PathAt added) override;
  IoError rename(PathAt from, PathAt to) override;
  IoError exchange(PathAt one, PathAt other) override;
  IoError remove(PathAt file) override;
  IoError remove_dir(PathAt empty_directory) override;
};

// Writes output to a path that the user gave: a file, a pipe or a device, through links.

// Replaces a regular or missing file at the end of its links as replace_file() does. Anything else is written into and
// keeps its type; blocks until a pipe has a reader. `/dev/stdout` and `/dev/fd/3` are descriptors of this process.
// EISDIR for a directory.
IoError save_file(std::string_view path, std::string_view bytes);

// Follows links in the last part of `path` to their end; the final target need not exist. ELOOP for a cycle.
IoError follow_links(std::string& path);

}  // namespace capwright
