// A read-only file system: resolves every path through Git's trees, starting at the commit's tree.
#include "git/commit_files.h"

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "git/pack_writer.h"

namespace capwright::git {
namespace {

constexpr std::uint64_t kLongestTarget = 4095;  // of a link, in bytes; the limit of Linux
constexpr int kMostLinksFollowed = 40;          // the limit of Linux

// Removes and returns the next name of a path, without slashes; empty at the end.
std::string_view take_part(std::string_view& path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  const std::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(part.size());
  while (path.starts_with('/')) path.remove_prefix(1);
  return part;
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  for (std::string_view part = take_part(path); !part.empty(); part = take_part(path)) parts.emplace_back(part);
  return parts;
}

bool is(std::uint32_t mode, std::uint32_t type) { return (mode & kTypeBits) == type; }

}  // namespace

StoredFiles::StoredFiles(TreeStore& store, const ObjectId& tree, std::string root, std::string_view folder)
    : store_(store), tree_(tree), root_(std::move(root)), folder_(parts_of(folder)) {}

// Finds the directory where `path` starts; `rest` is the part to resolve.
IoError StoredFiles::start(PathAt path, Place& place, std::string& rest) const {
  place = {{}, kFolderMode, tree_};
  rest = path.path;
  if (path.dir != DirId::WorkingDirectory) {
    const std::lock_guard guard(mutex_);
    const auto open = open_.find(static_cast<int>(path.dir));
    CW_CHECK(open != open_.end(), "a directory handle is used after it was closed");
    place.id = open->second;
    return {};
  }
  if (rest.empty()) return {ENOENT};
  if (rest.starts_with('/')) {
    if (root_.empty() || !rest.starts_with(root_)) return {ENOENT};
    rest.erase(0, root_.size());
    return {rest.empty() || rest.starts_with('/') ? 0 : ENOENT};
  }
  // The directory may be missing in this commit although its parents exist.
  std::vector<std::string> folder = folder_;
  std::string_view left = rest;
  for (std::string_view after = left;; left = after) {
    const std::string_view part = take_part(after);
    if (part == "..") {
      if (folder.empty()) return {ENOENT};
      folder.pop_back();
    } else if (part != ".") {
      break;
    }
  }
  std::string full;
  for (const std::string& part : folder) full.append(part).append("/");
  rest = full.append(left);
  return {};
}

IoError StoredFiles::step_into(std::string_view name, Place& place) const {
  if (is(place.mode, kSubmoduleMode)) return {EREMOTE};
  if (!is(place.mode, kFolderMode)) return {ENOTDIR};
  if (name == ".") return {};
  if (name == "..") {
    if (place.above.empty()) return {ENOENT};
    place.id = place.above.back();
    place.above.pop_back();
    return {};
  }
  TreePtr tree;
  if (const IoError error = noted(place.id, store_.tree(place.id, tree))) return error;
  const TreeEntry* entry = tree->find(name);
  if (entry == nullptr) return {ENOENT};
  place.above.push_back(place.id);
  place.mode = entry->mode;
  place.id = entry->id;
  return {};
}

// Follows a link to the directory where its target starts; `target` is then the part to resolve.
IoError StoredFiles::follow(Place& link, std::string_view rest, std::string& target) const {
  if (const IoError error = noted(link.id, store_.blob(link.id, target, kLongestTarget))) return error;
  target.append("/").append(rest);
  if (target.starts_with('/')) return start(std::string(target), link, target);
  link = {{link.above.begin(), link.above.end() - 1}, kFolderMode, link.above.back()};
  return {};
}

IoError StoredFiles::noted(const ObjectId& id, IoError error) const {
  if (error.code != ENODATA) return error;
  const std::lock_guard guard(mutex_);
  if (!unreadable_) unreadable_ = id;
  return error;
}

std::optional<ObjectId> StoredFiles::unreadable() const {
  const std::lock_guard guard(mutex_);
  return unreadable_;
}

IoError StoredFiles::find(PathAt path, Place& place) const {
  std::string rest;
  if (const IoError error = start(path, place, rest)) return error;
  int followed = 0;
  std::string_view left = rest;
  for (std::string_view part = take_part(left); !part.empty(); part = take_part(left)) {
    if (const IoError error = step_into(part, place)) return error;
    if (!is(place.mode, kLinkMode)) continue;
    const bool below_open_directory = path.dir != DirId::WorkingDirectory;
    if (below_open_directory && left.empty()) break;
    if (below_open_directory || ++followed > kMostLinksFollowed) return {ELOOP};
    std::string target;
    if (const IoError error = follow(place, left, target)) return error;
    rest = std::move(target);
    left = rest;
  }
  return {};
}

// As on disk: in the working tree, without links, also if the file doesn't exist.
IoError StoredFiles::real_path(PathAt path, std::string& real) {
  Place place;
  std::string rest;
  if (const IoError error = start(path, place, rest)) return error;
  std::vector<std::string> names;
  int followed = 0;
  bool exists = true;
  std::string_view left = rest;
  for (std::string_view part = take_part(left); !part.empty(); part = take_part(left)) {
    if (part == ".") continue;
    if (part == ".." && names.empty()) return {ENOENT};
    if (part == "..") names.pop_back();
    else names.emplace_back(part);
    if (exists) exists = !step_into(part, place);
    if (!exists || !is(place.mode, kLinkMode)) continue;
    if (++followed > kMostLinksFollowed) return {ELOOP};
    std::string target;
    if (const IoError error = follow(place, left, target)) return error;
    names.pop_back();
    if (place.above.empty()) names.clear();  // an absolute target
    rest = std::move(target);
    left = rest;
  }
  real = root_;
  for (const std::string& name : names) real.append("/").append(name);
  if (real.empty()) real = "/";
  return {};
}

IoError StoredFiles::read(PathAt file, std::string& bytes, std::uint64_t max_bytes) {
  bytes.clear();
  Place place;
  if (const IoError error = find(file, place)) return error;
  if (is(place.mode, kFolderMode)) return {EISDIR};
  if (is(place.mode, kLinkMode)) return {ELOOP};
  if (is(place.mode, kSubmoduleMode)) return {EREMOTE};
  return noted(place.id, store_.blob(place.id, bytes, max_bytes));
}

// Compares object ids, so only trees are read.
bool StoredFiles::holds(PathAt file, std::string_view bytes) {
  Place place;
  if (find(file, place)) return false;
  const bool is_file = TreeEntry{{}, place.mode, {}}.type() == FileType::Regular;
  return is_file && place.id == git::object_id(ObjectKind::Blob, bytes);
}

IoError StoredFiles::list(PathAt directory, std::vector<DirEntry>& entries) {
  entries.clear();
  Place place;
  if (const IoError error = find(directory, place)) return error;
  if (is(place.mode, kLinkMode)) return {ELOOP};
  if (is(place.mode, kSubmoduleMode)) return {EREMOTE};
  if (!is(place.mode, kFolderMode)) return {ENOTDIR};
  TreePtr tree;
  if (const IoError error = noted(place.id, store_.tree(place.id, tree))) return error;
  for (const TreeEntry& entry : tree->entries()) entries.push_back({std::string(entry.name), entry.type()});
  return {};
}

IoError StoredFiles::stat(PathAt path, FileStat& stat) {
  Place place;
  if (const IoError error = find(path, place)) return error;
  stat = {};
  stat.type = TreeEntry{{}, place.mode, {}}.type();
  if (stat.type == FileType::Other) return {};
  if (stat.type == FileType::Directory) {
    stat.mode = 0755;
    return {};
  }
  const std::uint32_t file_mode = (place.mode & kExecutableBits) != 0 ? 0755 : 0644;
  stat.mode = stat.type == FileType::Symlink ? 0777 : file_mode;
  return noted(place.id, store_.blob_size(place.id, stat.size));
}

IoError StoredFiles::object_id(PathAt path, ObjectId& id) {
  Place place;
  if (const IoError error = find(path, place)) return error;
  id = place.id;
  return {};
}

IoError StoredFiles::open_dir(PathAt directory, DirId& opened) {
  Place place;
  if (const IoError error = find(directory, place)) return error;
  if (is(place.mode, kLinkMode)) return {ELOOP};
  if (is(place.mode, kSubmoduleMode)) return {EREMOTE};
  if (!is(place.mode, kFolderMode)) return {ENOTDIR};
  const std::lock_guard guard(mutex_);
  opened = static_cast<DirId>(next_id_);
  open_[next_id_++] = place.id;
  return {};
}

void StoredFiles::close_dir(DirId opened) {
  const std::lock_guard guard(mutex_);
  open_.erase(static_cast<int>(opened));
}

IoError StoredFiles::lock(DirId) { return {EROFS}; }
IoError StoredFiles::make_dir(PathAt, std::uint32_t) { return {EROFS}; }
IoError StoredFiles::create(PathAt, std::string_view, std::uint32_t) { return {EROFS}; }
IoError StoredFiles::link(PathAt, PathAt) { return {EROFS}; }
IoError StoredFiles::rename(PathAt, PathAt) { return {EROFS}; }
IoError StoredFiles::exchange(PathAt, PathAt) { return {EROFS}; }
IoError StoredFiles::remove(PathAt) { return {EROFS}; }
IoError StoredFiles::remove_dir(PathAt) { return {EROFS}; }

}  // namespace capwright::git
