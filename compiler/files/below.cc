// Opens each directory from its parent, by a call that follows no link.
#include "files/below.h"

#include <cerrno>

namespace capwright {

bool is_done_before(IoError error) { return error.code == ENOENT || error.code == ENOTDIR; }

std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {".", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

IoError open_made_folder(FileSystem& fs, const Dir& directory, std::string_view folder, Dir& opened) {
  const IoError error = opened.open(fs, directory / folder);
  if (error.code != ENOENT || folder == ".") return error;
  const auto [parent, name] = split_path(folder);
  Dir above;
  if (const IoError failed = open_made_folder(fs, directory, parent, above)) return failed;
  if (const IoError failed = fs.make_dir(above / name, kDirectoryMode); failed && failed.code != EEXIST) return failed;
  return opened.open(fs, directory / folder);
}

IoError remove_file(FileSystem& fs, const Dir& directory, std::string_view path) {
  const auto [folder, name] = split_path(path);
  Dir parent;
  IoError error = parent.open(fs, directory / folder);
  if (!error) error = fs.remove(parent / name);
  const bool no_file_any_more = error.code == EISDIR;
  return is_done_before(error) || no_file_any_more ? IoError{} : error;
}

void remove_empty_folders(FileSystem& fs, const Dir& directory, std::string_view folder) {
  while (folder != ".") {
    const auto [above, name] = split_path(folder);
    Dir parent;
    if (parent.open(fs, directory / above) || fs.remove_dir(parent / name)) return;
    folder = above;
  }
}

}  // namespace capwright
