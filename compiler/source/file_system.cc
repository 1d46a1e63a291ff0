// Parts that all file systems share: error messages, and operations built from several calls.
#include "source/file_system.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "source/file_batch.h"

namespace capwright {
namespace {

IoError ignore(IoError error, int harmless) { return error.code == harmless ? IoError{} : error; }

}  // namespace

bool FileSystem::holds(PathAt file, std::string_view bytes) {
  std::string found;
  return !read(file, found, bytes.size()) && found == bytes;
}

void FileSystem::take_after(PathAt, PathAt) {}

IoError FileSystem::real_path(PathAt path, std::string& real) {
  real = ("/" / std::filesystem::path(path.path)).lexically_normal().string();
  return {};
}

IoError Dir::open(FileSystem& fs, PathAt directory) {
  close();
  const IoError error = fs.open_dir(directory, id_);
  if (!error) fs_ = &fs;
  return error;
}

void Dir::close() {
  if (fs_ != nullptr) fs_->close_dir(id_);
  fs_ = nullptr;
}

std::string describe(IoError error) {
  if (error.code == kOutOfBounds) return "it leads out of the repository";
  const char* words = ::strerrordesc_np(error.code);
  if (words == nullptr) return "error " + std::to_string(error.code);
  std::string text = words;
  const bool acronym = text.size() > 1 && text[1] >= 'A' && text[1] <= 'Z';
  if (!acronym && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] + ('a' - 'A'));
  return text;
}

IoError make_dirs(FileSystem& fs, std::string_view directory) {
  while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
  IoError error = fs.make_dir(directory, kDirectoryMode);
  if (error.code == ENOENT) {
    const std::size_t slash = directory.rfind('/');
    if (slash == std::string_view::npos || slash == 0) return error;
    if (const IoError parent = make_dirs(fs, directory.substr(0, slash))) return parent;
    error = ignore(fs.make_dir(directory, kDirectoryMode), EEXIST);
  }
  if (error.code != EEXIST) return error;
  FileStat stat;
  if (const IoError failed = fs.stat(directory, stat)) return failed;
  return {stat.type == FileType::Directory ? 0 : ENOTDIR};
}

IoError remove_tree(FileSystem& fs, PathAt directory) {
  std::vector<DirEntry> entries;
  if (const IoError error = fs.list(directory, entries)) return error;
  for (const DirEntry& entry : entries) {
    const std::string path = std::string(directory.path) + "/" + entry.name;
    const PathAt below(directory.dir, path);
    const IoError error = entry.type == FileType::Directory ? remove_tree(fs, below) : fs.remove(below);
    if (ignore(error, ENOENT)) return error;
  }
  return fs.remove_dir(directory);
}

IoError replace_file(FileSystem& fs, PathAt file, std::string_view bytes) {
  if (const IoError error = create_beside(fs, file, bytes, kFileMode)) return error;
  const std::string beside = path_beside(file.path);
  const PathAt added(file.dir, beside);
  const IoError error = fs.rename(added, file);
  if (error) static_cast<void>(fs.remove(added));
  return error;
}

}  // namespace capwright
