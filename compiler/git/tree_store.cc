// Git's tree objects: a sequence of `<octal mode> <name>NUL<20 bytes of id>`.
#include "git/tree_store.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

namespace capwright::git {
namespace {

// Removes one entry from the front of `rest`; empty if the tree is damaged.
std::optional<TreeEntry> take_entry(std::string_view& rest) {
  TreeEntry entry;
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] >= '0' && rest[at] <= '7' && at < 8; ++at)
    entry.mode = entry.mode * 8 + static_cast<std::uint32_t>(rest[at] - '0');
  const std::size_t end = rest.find('\0', at);
  if (at == 0 || at >= rest.size() || rest[at] != ' ' || end == std::string_view::npos) return std::nullopt;
  if (rest.size() - end - 1 < entry.id.bytes.size()) return std::nullopt;
  entry.name = rest.substr(at + 1, end - at - 1);
  std::memcpy(entry.id.bytes.data(), rest.data() + end + 1, entry.id.bytes.size());
  rest.remove_prefix(end + 1 + entry.id.bytes.size());
  return entry;
}

std::string_view bytes_of(const git_odb_object* object) {
  return {static_cast<const char*>(git_odb_object_data(const_cast<git_odb_object*>(object))),
          git_odb_object_size(const_cast<git_odb_object*>(object))};
}

IoError io_error(int answer) { return {answer == 0 ? 0 : ENODATA}; }

}  // namespace

FileType TreeEntry::type() const {
  switch (mode & kTypeBits) {
    case kFolderMode: return FileType::Directory;
    case kLinkMode: return FileType::Symlink;
    case kSubmoduleMode: return FileType::Other;
    default: return FileType::Regular;
  }
}

const TreeEntry* Tree::find(std::string_view name) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name,
                                      [](const TreeEntry& entry, std::string_view key) { return entry.name < key; });
  return found != entries_.end() && found->name == name ? &*found : nullptr;
}

IoError TreeStore::tree(const ObjectId& id, TreePtr& tree) {
  {
    const std::lock_guard guard(mutex_);
    const auto known = trees_.find(id);
    if (known != trees_.end()) {
      tree = known->second;
      return {};
    }
  }
  const auto made = std::make_shared<Tree>();
  if (!id.is_zero()) {
    const git_oid oid = as_oid(id);
    const int answer = receive(made->object_, [&](auto out) { return git_odb_read(out, odb_.get(), &oid); });
    if (answer != 0) return io_error(answer);
    if (git_odb_object_type(made->object_.get()) != GIT_OBJECT_TREE) return {ENODATA};
    std::string_view rest = bytes_of(made->object_.get());
    while (!rest.empty()) {
      const std::optional<TreeEntry> entry = take_entry(rest);
      if (!entry) return {ENODATA};
      made->entries_.push_back(*entry);
    }
    std::sort(made->entries_.begin(), made->entries_.end(),
              [](const TreeEntry& a, const TreeEntry& b) { return a.name < b.name; });
  }
  const std::lock_guard guard(mutex_);
  tree = trees_.emplace(id, made).first->second;
  return {};
}

IoError TreeStore::blob(const ObjectId& id, std::string& bytes, std::uint64_t max_bytes) {
  // Reads the size first: a file above the limit isn't loaded.
  std::uint64_t size = 0;
  if (const IoError error = blob_size(id, size)) return error;
  if (size > max_bytes) return {EFBIG};
  OdbObjectHandle object;
  const git_oid oid = as_oid(id);
  const int answer = receive(object, [&](auto out) { return git_odb_read(out, odb_.get(), &oid); });
  if (answer != 0) return io_error(answer);
  bytes = bytes_of(object.get());
  return {};
}

IoError TreeStore::blob_size(const ObjectId& id, std::uint64_t& size) {
  std::size_t length = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  const git_oid oid = as_oid(id);
  if (const int answer = git_odb_read_header(&length, &type, odb_.get(), &oid)) return io_error(answer);
  if (type != GIT_OBJECT_BLOB) return {ENODATA};
  size = length;
  return {};
}

}  // namespace capwright::git
