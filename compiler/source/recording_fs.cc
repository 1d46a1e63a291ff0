// A call that fails for another reason than a missing file depends on what is there, so the path counts as read.
#include "source/recording_fs.h"

#include <cerrno>
#include <filesystem>

namespace capwright {

void FileLog::add(const FileLog& other) {
  files.insert(other.files.begin(), other.files.end());
  missing.insert(other.missing.begin(), other.missing.end());
  folders.insert(other.folders.begin(), other.folders.end());
}

std::string RecordingFs::path_of(PathAt path) const {
  std::filesystem::path whole(path.path);
  const auto folder = opened_.find(path.dir);
  if (folder != opened_.end()) whole = std::filesystem::path(folder->second) / whole;
  std::string text = whole.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool RecordingFs::note(PathAt path, IoError error) {
  if (error.code != ENOENT && error.code != ENOTDIR) return true;
  log_.missing.insert(path_of(path));
  return false;
}

IoError RecordingFs::read(PathAt file, std::string& bytes, std::uint64_t max_bytes) {
  const IoError error = below().read(file, bytes, max_bytes);
  if (is_recording_ && note(file, error)) log_.files.insert(path_of(file));
  return error;
}

IoError RecordingFs::list(PathAt directory, std::vector<DirEntry>& entries) {
  const IoError error = below().list(directory, entries);
  if (is_recording_ && note(directory, error)) log_.folders.insert(path_of(directory));
  return error;
}

// The existence of a folder is known from the files in it.
IoError RecordingFs::stat(PathAt path, FileStat& stat) {
  const IoError error = below().stat(path, stat);
  if (is_recording_ && note(path, error) && (error || stat.type != FileType::Directory))
    log_.files.insert(path_of(path));
  return error;
}

IoError RecordingFs::open_dir(PathAt directory, DirId& opened) {
  const IoError error = below().open_dir(directory, opened);
  if (!is_recording_) return error;
  note(directory, error);
  if (!error) opened_[opened] = path_of(directory);
  return error;
}

void RecordingFs::close_dir(DirId opened) {
  if (is_recording_) opened_.erase(opened);
  below().close_dir(opened);
}

}  // namespace capwright
