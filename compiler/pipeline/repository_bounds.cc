// Compares real paths: with symbolic links, the spelling of a path isn't reliable.
#include "pipeline/repository_bounds.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace capwright {
namespace {

// Empty: there is none.
std::string work_tree_at(FileSystem& fs, const std::string& folder) {
  FileStat stat;
  for (std::filesystem::path path = folder; path.has_relative_path(); path = path.parent_path()) {
    if (path.filename() == ".git") break;  // a hook's working directory
    if (!fs.stat((path / ".git").string(), stat)) return path.string();
  }
  return {};
}

std::string parent_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string leaf_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string spelled(const std::string& working_directory, std::string_view path) {
  return normal_path((std::filesystem::path(working_directory) / path).string());
}

}  // namespace

std::string normal_path(std::string_view path) {
  std::string normal = std::filesystem::path(path).lexically_normal().string();
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  return normal;
}

bool is_in(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_among_files(std::string_view path, std::string_view folder) {
  if (folder == "/") folder = "";
  if (!is_in(path, folder)) return false;
  const std::string below = std::string(path.substr(folder.size())) + "/";
  return below.find("/.git/") == std::string::npos;
}

std::string real_path_of(FileSystem& fs, const std::string& path) {
  std::string real;
  const IoError error = fs.real_path(path, real);
  // A file in place of a folder: a link can't lead any further.
  if (error.code == ENOTDIR) return (std::filesystem::path(real_path_of(fs, parent_of(path))) / leaf_of(path)).string();
  if (error) return path;
  if (real.size() > 1 && real.ends_with('/')) real.pop_back();
  return real;
}

std::string folder_in_git(FileSystem& fs, const std::string& folder) {
  const std::string real = real_path_of(fs, folder);
  const std::string work_tree = work_tree_at(fs, real);
  return work_tree.empty() || work_tree == real ? "" : real.substr(work_tree.size() + 1) + "/";
}

RepositoryBounds::RepositoryBounds(FileSystem& fs, const std::string& folder) : fs_(&fs) {
  const std::string real = real_path_of(fs, folder.empty() ? "." : folder);
  const std::string work_tree = work_tree_at(fs, real);
  roots_.push_back(work_tree.empty() ? real : work_tree);
}

bool RepositoryBounds::is_spelled_inside(const std::string& working_directory, const std::string& path) const {
  return is_in(spelled(working_directory, path), roots_.front() == "/" ? "" : roots_.front());
}

void RepositoryBounds::add_word(const std::string& working_directory, std::string_view word) {
  const auto add = [&](std::string_view text) {
    const std::string path(text);
    if (!path.empty() && !is_spelled_inside(working_directory, path)) roots_.push_back(real_path_of(*fs_, path));
  };
  add(word);
  // `--output=DIR` and `-oDIR`.
  if (!word.starts_with('-')) return;
  if (const std::size_t equals = word.find('='); equals != std::string_view::npos) add(word.substr(equals + 1));
  else if (!word.starts_with("--") && word.size() > 2) add(word.substr(2));
}

void RepositoryBounds::add_work_tree_of(const std::string& working_directory, const std::string& file) {
  if (is_spelled_inside(working_directory, file)) return;
  const std::string work_tree =
      work_tree_at(*fs_, std::filesystem::path(real_path_of(*fs_, file)).parent_path().string());
  if (!work_tree.empty()) roots_.push_back(work_tree);
}

bool RepositoryBounds::is_led_outside(const std::string& working_directory, const std::string& path) const {
  if (!is_spelled_inside(working_directory, path)) return false;
  return real_path_of(*fs_, path) != spelled(working_directory, path) && !have(path);
}

bool RepositoryBounds::have(const std::string& path) const {
  const std::string real = real_path_of(*fs_, path.empty() ? "." : path);
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) { return is_among_files(real, root); });
}

BoundedFs::~BoundedFs() {
  if (top_ != DirId::WorkingDirectory) below().close_dir(top_);
}

void BoundedFs::keep_to(const RepositoryBounds& bounds, const std::string& working_directory) {
  bounds_ = &bounds;
  const bool is_inside = bounds.top() != "/" && is_in(working_directory, bounds.top());
  if (!is_inside || below().open_dir(bounds.top(), top_)) return;
  if (working_directory != bounds.top()) below_ = working_directory.substr(bounds.top().size() + 1) + "/";
}

bool BoundedFs::is_outside(PathAt path) const {
  return bounds_ != nullptr && path.dir == DirId::WorkingDirectory && !bounds_->have(std::string(path.path));
}

// Empty if it takes more than text to know the path.
std::optional<std::string> BoundedFs::path_from_top(std::string_view path) const {
  if (top_ == DirId::WorkingDirectory) return std::nullopt;
  std::string_view folder = below_;
  for (; path.starts_with("../"); path.remove_prefix(3)) {
    if (folder.empty()) return std::nullopt;
    folder.remove_suffix(1);
    folder = folder.substr(0, folder.rfind('/') + 1);
  }
  std::string whole = std::string(folder).append(path);
  const bool is_plain =
      !path.empty() && path != ".." && !path.starts_with('/') && whole.find("//") == std::string::npos;
  const bool is_inside = is_plain && whole.find("/../") == std::string::npos && !whole.ends_with("/..");
  if (!is_inside || whole.starts_with(".git/") || whole.find("/.git/") != std::string::npos) return std::nullopt;
  return whole.ends_with("/.git") || whole == ".git" ? std::nullopt : std::optional(std::move(whole));
}

// Nearly all paths have no links, so one call that refuses links replaces the search for them: a real path costs a call
// for each folder, and took a third of the time of linting a tree.
template <class Call>
IoError BoundedFs::call_inside(PathAt path, Call call) {
  if (bounds_ == nullptr || path.dir != DirId::WorkingDirectory) return call(path);
  if (const auto from_top = path_from_top(path.path)) {
    const IoError error = call(PathAt(top_, *from_top));
    if (!error || error.code == ENOENT || error.code == ENOTDIR) return error;
  }
  return is_outside(path) ? IoError{kOutOfBounds} : call(path);
}

IoError BoundedFs::read(PathAt file, std::string& bytes, std::uint64_t max_bytes) {
  return call_inside(file, [&](PathAt path) { return below().read(path, bytes, max_bytes); });
}

IoError BoundedFs::list(PathAt directory, std::vector<DirEntry>& entries) {
  return call_inside(directory, [&](PathAt path) { return below().list(path, entries); });
}

IoError BoundedFs::open_dir(PathAt directory, DirId& opened) {
  return is_outside(directory) ? IoError{kOutOfBounds} : below().open_dir(directory, opened);
}

IoError BoundedFs::make_dir(PathAt directory, std::uint32_t mode) {
  return is_outside(directory) ? IoError{kOutOfBounds} : below().make_dir(directory, mode);
}

IoError BoundedFs::create(PathAt file, std::string_view bytes, std::uint32_t mode) {
  return is_outside(file) ? IoError{kOutOfBounds} : below().create(file, bytes, mode);
}

IoError BoundedFs::rename(PathAt from, PathAt to) {
  return is_outside(from) || is_outside(to) ? IoError{kOutOfBounds} : below().rename(from, to);
}

IoError BoundedFs::remove(PathAt file) { return is_outside(file) ? IoError{kOutOfBounds} : below().remove(file); }

}  // namespace capwright
