// Changes as a tree of names, applied over the commit's trees.
#include "git/tree_edit.h"

#include <algorithm>
#include <vector>

#include "diag/catalog/git.h"

namespace capwright::git {
namespace {

constexpr std::uint32_t kPlainMode = 0100644, kExecutableMode = 0100755;

bool is_dot_git(std::string_view name) {
  constexpr std::string_view kDotGit = ".git";
  return std::equal(name.begin(), name.end(), kDotGit.begin(), kDotGit.end(),
                    [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a + ('a' - 'A') == b); });
}

// Why a path can't be in a commit; empty if it can.
std::string_view fault_of(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return "it contains a NUL";
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    if (name.empty()) return "a part of it is empty";
    if (name == "." || name == "..") return "it contains `.` or `..`";
    if (is_dot_git(name)) return "`.git` is reserved for Git";
    if (slash == std::string_view::npos) return "";
    path.remove_prefix(slash + 1);
  }
}

// Git sorts directories as if their names ended in a slash.
bool in_order_of_git(std::string_view a, bool a_folder, std::string_view b, bool b_folder) {
  const std::size_t common = std::min(a.size(), b.size());
  const int order = a.substr(0, common).compare(b.substr(0, common));
  if (order != 0) return order < 0;
  const auto next = [common](std::string_view name, bool folder) -> unsigned char {
    if (name.size() > common) return static_cast<unsigned char>(name[common]);
    return folder ? '/' : '\0';
  };
  return next(a, a_folder) < next(b, b_folder);
}

void append_mode(std::string& out, std::uint32_t mode) {
  std::string digits;
  for (; mode != 0; mode /= 8) digits.push_back(static_cast<char>('0' + mode % 8));
  out.append(digits.rbegin(), digits.rend());
}

}  // namespace

bool TreeEdit::refuse(const std::string& path, std::string_view why) {
  sink_->report(diag::path_not_in_commit, Span(), path, why);
  return false;
}

bool TreeEdit::add(const FileChange& change, Sink& sink) {
  sink_ = &sink;
  if (const std::string_view fault = fault_of(change.path); !fault.empty()) return refuse(change.path, fault);
  Node* node = &top_;
  for (std::string_view rest = change.path; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    node = &node->children[std::string(name)];
  }
  if (node->change != nullptr) return refuse(change.path, "it is listed twice");
  node->change = &change;
  return true;
}

bool TreeEdit::apply(const ObjectId& base, ObjectId& made, Sink& sink) {
  sink_ = &sink;
  if (!apply_to_folder(base, top_, "", made)) return false;
  if (!made.is_zero()) return true;
  made = object_id(ObjectKind::Tree, "");  // without files; only a commit may have an empty tree
  writer_.add(ObjectKind::Tree, made, "");
  return true;
}

bool TreeEdit::apply_to_folder(const ObjectId& base, const Node& node, const std::string& path, ObjectId& made) {
  TreePtr tree;
  if (const IoError error = store_.tree(base, tree)) {
    sink_->report(diag::unreadable_object, Span(), hex(base), "it is missing or damaged");
    return false;
  }
  Entries entries;
  for (const TreeEntry& entry : tree->entries()) entries[std::string(entry.name)] = {entry.mode, entry.id};
  for (const auto& [name, child] : node.children) {
    if (!apply_to_entry(entries, name, child, path.empty() ? name : path + "/" + name)) return false;
  }
  made = {};
  if (entries.empty()) return true;
  std::vector<const Entries::value_type*> sorted;
  for (const auto& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return in_order_of_git(a->first, a->second.mode == kFolderMode, b->first, b->second.mode == kFolderMode);
  });
  std::string bytes;
  for (const auto* entry : sorted) {
    append_mode(bytes, entry->second.mode);
    bytes.append(" ").append(entry->first).push_back('\0');
    bytes.append(entry->second.id.bytes.begin(), entry->second.id.bytes.end());
  }
  made = object_id(ObjectKind::Tree, bytes);
  if (made != base) writer_.add(ObjectKind::Tree, made, bytes);
  return true;
}

bool TreeEdit::apply_to_entry(Entries& entries, const std::string& name, const Node& node, const std::string& path) {
  const auto found = entries.find(name);
  const bool deleted = node.change != nullptr && !node.change->bytes;
  const bool there = found != entries.end() && !deleted;
  const bool folder_there = there && found->second.mode == kFolderMode;
  if (node.change != nullptr && node.change->bytes) {
    if (!node.children.empty()) return refuse(path, "other paths need a folder there");
    if (folder_there) return refuse(path, "a folder exists there");
    const ObjectId id = object_id(ObjectKind::Blob, *node.change->bytes);
    const bool same = there && found->second.id == id;
    if (!same) writer_.add(ObjectKind::Blob, id, *node.change->bytes);
    entries[name] = {node.change->executable ? kExecutableMode : kPlainMode, id};
    return true;
  }
  ObjectId below;
  if (!node.children.empty()) {
    if (there && !folder_there) return refuse(path, "a file exists there, but other paths need a folder");
    if (!apply_to_folder(folder_there ? found->second.id : ObjectId(), node, path, below)) return false;
  }
  if (below.is_zero()) {
    if (found != entries.end()) entries.erase(found);
  } else {
    entries[name] = {kFolderMode, below};
  }
  return true;
}

}  // namespace capwright::git
