// Models nodes and names as a Unix file system does, so that links, renames and exchanges behave the same.
#include "source/memory_fs.h"

#include <cerrno>
#include <limits>
#include <utility>

#include "base/check.h"

namespace capwright {

struct MemoryFs::Node {
  FileType type = FileType::Directory;
  std::string bytes;  // of a file; the target of a link
  std::uint32_t mode = 0755;
  std::uint64_t version = 0;
  std::map<std::string, NodePtr> children;
};

struct MemoryFs::Slot {
  NodePtr parent;
  std::string name;
  NodePtr node;  // null: nothing has this name
};

namespace {

constexpr int kMostLinksFollowed = 40;

// Removes and returns the first part of `path`; skips empty parts and `.`.
std::string_view take_part(std::string_view& path) {
  for (;;) {
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (part != ".") return part;
  }
}

std::string join(std::string_view directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  return std::string(directory).append("/").append(name);
}

}  // namespace

MemoryFs::MemoryFs() : root_(std::make_shared<Node>()) {}
MemoryFs::~MemoryFs() = default;

MemoryFs::NodePtr MemoryFs::made_parent(std::string_view path, std::string& name) {
  NodePtr node = root_;
  std::string_view part = take_part(path);
  for (std::string_view next = take_part(path); !next.empty(); next = take_part(path)) {
    NodePtr& child = node->children[std::string(part)];
    if (child == nullptr) child = std::make_shared<Node>();
    node = child;
    part = next;
  }
  name = part;
  return node;
}

void MemoryFs::add(std::string_view path, std::string_view bytes, std::uint32_t mode) {
  std::string name;
  const NodePtr parent = made_parent(path, name);
  NodePtr& node = parent->children[name];
  node = std::make_shared<Node>();
  node->type = FileType::Regular;
  node->bytes = bytes;
  node->mode = mode;
  node->version = next_version_++;
}

void MemoryFs::add_dir(std::string_view path) {
  std::string name;
  const NodePtr parent = made_parent(path, name);
  NodePtr& node = parent->children[name];
  if (node == nullptr) node = std::make_shared<Node>();
}

void MemoryFs::add_symlink(std::string_view path, std::string_view target) {
  std::string name;
  const NodePtr parent = made_parent(path, name);
  NodePtr& node = parent->children[name];
  node = std::make_shared<Node>();
  node->type = FileType::Symlink;
  node->bytes = target;
}

std::map<std::string, std::string> MemoryFs::tree() const {
  std::map<std::string, std::string> paths;
  std::vector<std::pair<std::string, NodePtr>> open{{"", root_}};
  while (!open.empty()) {
    const auto [path, node] = open.back();
    open.pop_back();
    if (node->type == FileType::Directory) {
      if (node->children.empty() && !path.empty()) paths[path] = "/";
      for (const auto& [name, child] : node->children) open.emplace_back(join(path, name), child);
    } else {
      paths[path] = node->type == FileType::Symlink ? "-> " + node->bytes : node->bytes;
    }
  }
  return paths;
}

std::uint64_t MemoryFs::version(std::string_view path) const {
  NodePtr node;
  return find(path, node) ? 0 : node->version;
}

void MemoryFs::fail_at(std::uint64_t n, int code) {
  fail_call_ = calls_ + n;
  fail_code_ = code;
  reached_ = false;
}

void MemoryFs::fail_on(std::string_view line, int code) {
  const std::size_t space = line.find(' ');
  fail_word_ = line.substr(0, space + 1);
  fail_path_ = line.substr(space + 1);
  fail_code_ = code;
  reached_ = false;
}

void MemoryFs::die_at(std::uint64_t n) {
  death_call_ = calls_ + n;
  reached_ = false;
}

void MemoryFs::revive() {
  fail_call_ = death_call_ = std::numeric_limits<std::uint64_t>::max();
  open_.clear();
  locks_.clear();
}

std::string MemoryFs::shown(PathAt path) const {
  const auto open = open_.find(static_cast<int>(path.dir));
  return open == open_.end() ? std::string(path.path) : join(open->second.second, path.path);
}

// Counts and logs a call. Returns the error that the test set for it.
IoError MemoryFs::begin(std::string_view name, std::initializer_list<PathAt> paths, bool changes) {
  std::string line(name);
  for (const PathAt& path : paths) line.append(" ").append(shown(path));
  const std::uint64_t call = calls_++;
  if (call >= death_call_) {
    reached_ = true;
    return {EIO};
  }
  log_.push_back(std::move(line));
  const std::string& logged = log_.back();
  const bool named = !fail_word_.empty() && logged.starts_with(fail_word_) && logged.ends_with(fail_path_);
  if (call == fail_call_ || named) {
    fail_word_.clear();
    reached_ = true;
    return {fail_code_};
  }
  return {changes && !can_write ? EROFS : 0};
}

MemoryFs::NodePtr MemoryFs::start_of(PathAt path) const {
  if (path.dir == DirId::WorkingDirectory) return root_;
  const auto open = open_.find(static_cast<int>(path.dir));
  CW_CHECK(open != open_.end(), "a directory handle is used after it was closed");
  return open->second.first;
}

IoError MemoryFs::find_slot(PathAt path, Slot& slot) const {
  const bool follow = path.dir == DirId::WorkingDirectory;
  slot = {nullptr, "", start_of(path)};
  std::string rest(path.path);
  int followed = 0;
  std::string_view left = rest;
  for (std::string_view part = take_part(left); !part.empty(); part = take_part(left)) {
    if (slot.node == nullptr) return {ENOENT};
    if (slot.node->type == FileType::Symlink) {
      if (!follow || ++followed > kMostLinksFollowed) return {ELOOP};
      std::string target = join(slot.node->bytes, part);
      rest = std::move(target.append(left));
      left = rest;
      slot.node = rest.starts_with('/') ? root_ : slot.parent;
      continue;
    }
    if (slot.node->type != FileType::Directory) return {ENOTDIR};
    slot.parent = slot.node;
    slot.name = part;
    const auto child = slot.parent->children.find(slot.name);
    slot.node = child == slot.parent->children.end() ? nullptr : child->second;
  }
  return {};
}

IoError MemoryFs::find(PathAt path, NodePtr& found) const {
  Slot slot;
  if (const IoError error = find_slot(path, slot)) return error;
  if (slot.node == nullptr) return {ENOENT};
  if (path.dir == DirId::WorkingDirectory && slot.node->type == FileType::Symlink) {
    const bool absolute = slot.node->bytes.starts_with('/');
    CW_CHECK(absolute, "a link that a MemoryFs follows as the last part has an absolute target");
    return find(slot.node->bytes, found);
  }
  found = slot.node;
  return {};
}

IoError MemoryFs::read(PathAt file, std::string& bytes, std::uint64_t max_bytes) {
  const std::lock_guard guard(mutex_);
  bytes.clear();
  if (const IoError error = begin("read", {file}, false)) return error;
  NodePtr node;
  if (const IoError error = find(file, node)) return error;
  if (node->type == FileType::Symlink) return {ELOOP};
  if (node->type == FileType::Directory) return {EISDIR};
  if ((node->mode & 0400) == 0) return {EACCES};
  if (node->bytes.size() > max_bytes) return {EFBIG};
  bytes = node->bytes;
  return {};
}

IoError MemoryFs::list(PathAt directory, std::vector<DirEntry>& entries) {
  const std::lock_guard guard(mutex_);
  entries.clear();
  if (const IoError error = begin("list", {directory}, false)) return error;
  NodePtr node;
  if (const IoError error = find(directory, node)) return error;
  if (node->type != FileType::Directory) return {node->type == FileType::Symlink ? ELOOP : ENOTDIR};
  for (const auto& [name, child] : node->children) entries.push_back({name, child->type});
  return {};
}

IoError MemoryFs::stat(PathAt path, FileStat& stat) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("stat", {path}, false)) return error;
  NodePtr node;
  if (const IoError error = find(path, node)) return error;
  stat = {node->type, node->mode, node->bytes.size()};
  return {};
}

IoError MemoryFs::open_dir(PathAt directory, DirId& opened) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("open_dir", {directory}, false)) return error;
  NodePtr node;
  if (const IoError error = find(directory, node)) return error;
  if (node->type != FileType::Directory) return {node->type == FileType::Symlink ? ELOOP : ENOTDIR};
  opened = static_cast<DirId>(next_id_);
  open_[next_id_++] = {node, shown(directory)};
  return {};
}

void MemoryFs::close_dir(DirId opened) {
  const std::lock_guard guard(mutex_);
  open_.erase(static_cast<int>(opened));
  locks_.erase(static_cast<int>(opened));
}

IoError MemoryFs::lock(DirId opened) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("lock", {{opened, ""}}, false)) return error;
  Node* node = start_of({opened, ""}).get();
  for (const auto& [id, locked] : locks_) {
    if (locked == node && id != static_cast<int>(opened)) return {EWOULDBLOCK};
  }
  locks_[static_cast<int>(opened)] = node;
  return {};
}

IoError MemoryFs::make_dir(PathAt directory, std::uint32_t mode) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("make_dir", {directory}, true)) return error;
  Slot slot;
  if (const IoError error = find_slot(directory, slot)) return error;
  if (slot.node != nullptr) return {EEXIST};
  NodePtr& node = slot.parent->children[slot.name];
  node = std::make_shared<Node>();
  node->mode = mode & ~022u;
  return {};
}

IoError MemoryFs::create(PathAt file, std::string_view bytes, std::uint32_t mode) {
  const std::lock_guard guard(mutex_);
  const IoError told = begin("create", {file}, true);
  if (told && !(told.code == ENOSPC && reached_)) return told;
  Slot slot;
  if (const IoError error = find_slot(file, slot)) return error;
  if (slot.node != nullptr) return {EEXIST};
  NodePtr& node = slot.parent->children[slot.name];
  node = std::make_shared<Node>();
  node->type = FileType::Regular;
  node->bytes = told ? bytes.substr(0, bytes.size() / 2) : bytes;  // a full disk leaves a part
  node->mode = mode & ~022u;
  node->version = next_version_++;
  return told;
}

IoError MemoryFs::link(PathAt existing, PathAt added) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("link", {existing, added}, true)) return error;
  if (!can_link) return {EPERM};
  Slot from, to;
  if (const IoError error = find_slot(existing, from)) return error;
  if (const IoError error = find_slot(added, to)) return error;
  if (from.node == nullptr) return {ENOENT};
  if (from.node->type == FileType::Directory) return {EPERM};
  if (to.node != nullptr) return {EEXIST};
  to.parent->children[to.name] = from.node;
  return {};
}

IoError MemoryFs::rename(PathAt from, PathAt to) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("rename", {from, to}, true)) return error;
  Slot old_slot, new_slot;
  if (const IoError error = find_slot(from, old_slot)) return error;
  if (const IoError error = find_slot(to, new_slot)) return error;
  if (old_slot.node == nullptr) return {ENOENT};
  if (old_slot.node == new_slot.node) return {};  // two names of one file: POSIX leaves both
  if (new_slot.node != nullptr) {
    const bool from_dir = old_slot.node->type == FileType::Directory;
    const bool to_dir = new_slot.node->type == FileType::Directory;
    if (from_dir != to_dir) return {to_dir ? EISDIR : ENOTDIR};
    if (!new_slot.node->children.empty()) return {ENOTEMPTY};
  }
  new_slot.parent->children[new_slot.name] = old_slot.node;
  old_slot.parent->children.erase(old_slot.name);
  return {};
}

IoError MemoryFs::exchange(PathAt one, PathAt other) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("exchange", {one, other}, true)) return error;
  if (!can_exchange) return {EINVAL};
  Slot first, second;
  if (const IoError error = find_slot(one, first)) return error;
  if (const IoError error = find_slot(other, second)) return error;
  if (first.node == nullptr || second.node == nullptr) return {ENOENT};
  std::swap(first.parent->children[first.name], second.parent->children[second.name]);
  return {};
}

IoError MemoryFs::remove(PathAt file) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("remove", {file}, true)) return error;
  Slot slot;
  if (const IoError error = find_slot(file, slot)) return error;
  if (slot.node == nullptr) return {ENOENT};
  if (slot.node->type == FileType::Directory) return {EISDIR};
  slot.parent->children.erase(slot.name);
  return {};
}

IoError MemoryFs::remove_dir(PathAt directory) {
  const std::lock_guard guard(mutex_);
  if (const IoError error = begin("remove_dir", {directory}, true)) return error;
  Slot slot;
  if (const IoError error = find_slot(directory, slot)) return error;
  if (slot.node == nullptr) return {ENOENT};
  if (slot.node->type != FileType::Directory) return {ENOTDIR};
  if (!slot.node->children.empty()) return {ENOTEMPTY};
  slot.parent->children.erase(slot.name);
  return {};
}

}  // namespace capwright
