// Does everything that needs disk space before it replaces the first file; renames need none.
#include "source/file_batch.h"

#include <cerrno>

namespace capwright {

std::string path_beside(std::string_view path) { return std::string(path) + ".capwright-new"; }

IoError create_beside(FileSystem& fs, PathAt file, std::string_view bytes, std::uint32_t mode) {
  const std::string path = path_beside(file.path);
  const PathAt beside(file.dir, path);
  IoError error = fs.create(beside, bytes, mode);
  if (error.code == EEXIST) {  // left by a run that was killed
    if (const IoError stuck = fs.remove(beside)) return stuck;
    error = fs.create(beside, bytes, mode);
  }
  if (error) static_cast<void>(fs.remove(beside));
  return error;
}

FileBatch::~FileBatch() {
  for (const std::string& path : waiting_) static_cast<void>(fs_.remove(path_beside(path)));
}

IoError FileBatch::add(const std::string& path, std::string_view bytes, std::uint32_t mode) {
  FileStat stat;
  if (!fs_.stat(path, stat) && stat.type == FileType::Directory) return {EISDIR};
  if (const IoError error = create_beside(fs_, path, bytes, mode)) return error;
  waiting_.push_back(path);
  return {};
}

IoError FileBatch::put(std::string& failed) {
  IoError error;
  auto next = waiting_.begin();
  while (next != waiting_.end() && !(error = fs_.rename(path_beside(*next), *next))) ++next;
  if (error) failed = *next;
  waiting_.erase(waiting_.begin(), next);
  return error;
}

}  // namespace capwright
