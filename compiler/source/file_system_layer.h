// A file system on top of another one: calls that a derived class doesn't override go to the one below.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

class FileSystemLayer : public FileSystem {
 public:
  // `below` outlives it.
  explicit FileSystemLayer(FileSystem& below) : below_(below) {}

  IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) override {
    return below_.read(file, bytes, max_bytes);
  }
  IoError list(PathAt directory, std::vector<DirEntry>& entries) override { return below_.list(directory, entries); }
  IoError real_path(PathAt path, std::string& real) override { return below_.real_path(path, real); }
  IoError stat(PathAt path, FileStat& stat) override { return below_.stat(path, stat); }
  IoError open_dir(PathAt directory, DirId& opened) override { return below_.open_dir(directory, opened); }
  void close_dir(DirId opened) override { below_.close_dir(opened); }
  IoError lock(DirId opened) override { return below_.lock(opened); }
  IoError make_dir(PathAt directory, std::uint32_t mode) override { return below_.make_dir(directory, mode); }
  void take_after(PathAt directory, PathAt model) override { below_.take_after(directory, model); }
  IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) override {
    return below_.create(file, bytes, mode);
  }
  IoError link(PathAt existing, PathAt added) override { return below_.link(existing, added); }
  IoError rename(PathAt from, PathAt to) override { return below_.rename(from, to); }
  IoError exchange(PathAt one, PathAt other) override { return below_.exchange(one, other); }
  IoError remove(PathAt file) override { return below_.remove(file); }
  IoError remove_dir(PathAt empty_directory) override { return below_.remove_dir(empty_directory); }

 protected:
  FileSystem& below() { return below_; }

 private:
  FileSystem& below_;
};

}  // namespace capwright
