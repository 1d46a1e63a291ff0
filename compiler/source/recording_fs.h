// Records which files and folders were read, and which were looked for and missing: the inputs of what was made of
// them.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>

#include "source/file_system_layer.h"

namespace capwright {

// Paths as they were opened, from the working directory, without `.`, `..` and doubled slashes inside of them.
struct FileLog {
  std::set<std::string> files;    // read, or looked for and found
  std::set<std::string> missing;  // looked for and not found
  std::set<std::string> folders;  // listed

  void add(const FileLog& other);
};

// Records nothing until start(). While it records, one thread at a time may use it.
class RecordingFs final : public FileSystemLayer {
 public:
  using FileSystemLayer::FileSystemLayer;

  void start() { is_recording_ = true; }
  // What was recorded since start(), or since the last call.
  FileLog take() { return std::exchange(log_, {}); }

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override;
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override;
  IoError stat(PathAt path, FileStat& stat) override;
  IoError open_dir(PathAt directory, DirId& opened) override;
  void close_dir(DirId opened) override;

 private:
  std::string path_of(PathAt path) const;
  // Returns false if the call found nothing at the path, which is noted.
  bool note(PathAt path, IoError error);

  bool is_recording_ = false;
  FileLog log_;
  std::map<DirId, std::string> opened_;
};

}  // namespace capwright
