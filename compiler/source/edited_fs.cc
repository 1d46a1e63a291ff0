// Two calls return edited texts; all other calls go to the files.
#include "source/edited_fs.h"

#include <cerrno>
#include <filesystem>

namespace capwright {

std::string EditedFs::absolute(std::string_view path) const {
  return (std::filesystem::path(working_directory_) / path).lexically_normal().string();
}

void EditedFs::edit(std::string_view path, std::string text) {
  texts_.insert_or_assign(absolute(path), std::move(text));
}

void EditedFs::revert(std::string_view path) { texts_.erase(absolute(path)); }

const std::string* EditedFs::edited(PathAt file) const {
  if (texts_.empty() || file.dir != DirId::WorkingDirectory) return nullptr;
  const auto found = texts_.find(absolute(file.path));
  return found == texts_.end() ? nullptr : &found->second;
}

IoError EditedFs::read(PathAt file, std::string& bytes, std::uint64_t max_bytes) {
  const std::string* text = edited(file);
  if (text == nullptr) return below().read(file, bytes, max_bytes);
  if (text->size() > max_bytes) return {EFBIG};
  bytes = *text;
  return {};
}

IoError EditedFs::stat(PathAt path, FileStat& stat) {
  const std::string* text = edited(path);
  if (text == nullptr) return below().stat(path, stat);
  stat = {FileType::Regular, kFileMode, text->size()};
  return {};
}

}  // namespace capwright
