// Errors aren't reported here: without a history, a render uses the output folder alone.
#include "workflow/git_history.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "files/index.h"

namespace capwright::workflow {
namespace {

constexpr std::uint64_t kLargestFile = 16u << 20;  // bytes
constexpr std::uint64_t kLargestRefFile = 1u << 16;

// The commits in a file such as `MERGE_HEAD`, one per line.
std::vector<git::ObjectId> commits_in(FileSystem& fs, const std::string& path) {
  std::vector<git::ObjectId> commits;
  std::string text;
  if (fs.read(path, text, kLargestRefFile)) return commits;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (const auto id = git::parse_object_id(std::string_view(text).substr(at, end - at))) commits.push_back(*id);
    at = end + 1;
  }
  return commits;
}

// Git ends a line before a conflict marker, even if the last line of a file has no line end.
bool is_with_line_end(std::string_view text, std::string_view without) {
  return text.ends_with('\n') && text.substr(0, text.size() - 1) == without;
}

// A text as if `favored` won each conflict that `git merge` has marked in it; empty if the markers are damaged.
std::optional<std::string> resolved(std::string_view text, git::Favored favored, bool& has_conflict) {
  enum class Part : std::uint8_t { Both, Ours, Base, Theirs };
  Part part = Part::Both;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    if (part == Part::Both && line.starts_with("<<<<<<< ")) {
      part = Part::Ours;
      has_conflict = true;
    } else if (part == Part::Ours && line.starts_with("||||||| ")) {
      part = Part::Base;
    } else if ((part == Part::Ours || part == Part::Base) && line == "=======\n") {
      part = Part::Theirs;
    } else if (part == Part::Theirs && line.starts_with(">>>>>>> ")) {
      part = Part::Both;
    } else if (part == Part::Both || part == (favored == git::Favored::Ours ? Part::Ours : Part::Theirs)) {
      result += line;
    }
  }
  return part == Part::Both ? std::optional(std::move(result)) : std::nullopt;
}

// Adds generations that only the other side of a merge has. Its files get unique names, because both sides have most
// paths.
void add_generations(PreviousCluster& all, const PreviousCluster& other) {
  constexpr std::string_view kOther = " (MERGE_HEAD)";
  for (const RotatedObject& object : other.index->rotation.objects) {
    auto& known = all.index->rotation.objects;
    const auto same = std::find_if(known.begin(), known.end(), [&](const RotatedObject& each) {
      return each.kind == object.kind && each.group == object.group && each.name == object.name;
    });
    if (same != known.end()) {
      same->retired = std::min(same->retired, object.retired);
      continue;
    }
    known.push_back(object);
    known.back().file += kOther;
    const PreviousFile* file = other.find(object.file);
    if (file != nullptr && all.find(known.back().file) == nullptr) {
      const auto after = std::upper_bound(all.files.begin(), all.files.end(), known.back().file,
                                          [](const auto& path, const auto& each) { return path < each.path; });
      all.files.insert(after, {known.back().file, file->state, file->text});
    }
  }
}

}  // namespace

bool inside_work_tree(FileSystem& fs, const std::string& folder) {
  std::error_code failed;
  const std::filesystem::path start = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, failed);
  if (failed) return true;  // assumes the worse if it is unknown
  for (std::filesystem::path path = start;; path = path.parent_path()) {
    FileStat stat;
    if (!fs.stat((path / ".git").string(), stat)) return true;
    if (path == path.root_path()) return false;
  }
}

std::unique_ptr<GitHistory> GitHistory::open(FileSystem& fs, const std::string& output, std::string& why) {
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::weakly_canonical(output.empty() ? "." : output, failed);
  if (failed || !inside_work_tree(fs, folder.string())) return nullptr;
  const std::string wanted = folder.string();
  FileStat stat;
  while (fs.stat(folder.string(), stat) && folder.has_relative_path()) folder = folder.parent_path();
  Sink faults;
  auto history = std::make_unique<GitHistory>();
  history->repository_ = git::open_repository(folder.string(), faults);
  if (history->repository_ != nullptr && history->open_sides(fs, wanted)) return history;
  if (!faults.diagnostics().empty()) why = faults.diagnostics().front().message;
  return nullptr;
}

bool GitHistory::open_sides(FileSystem& fs, const std::string& folder) {
  Sink unread;
  const auto below = repository_->path_below_root(folder);
  const auto head = repository_->head(unread);
  if (!below || !head || !head->commit) return false;
  folder_ = *below;
  if (!add_side(*head->commit) || !sides_.front().tree->has_clusters()) return false;
  find_merges(fs);
  return true;
}

std::optional<std::size_t> GitHistory::add_side(const git::ObjectId& commit) {
  const auto known =
      std::find_if(sides_.begin(), sides_.end(), [&](const Side& side) { return side.commit == commit; });
  if (known != sides_.end()) return static_cast<std::size_t>(known - sides_.begin());
  Sink unread;
  Side side{commit, repository_->files(commit, folder_, unread), nullptr};
  if (side.files == nullptr) return std::nullopt;
  side.tree = std::make_unique<OutputTree>(*side.files, "", folder_);
  if (!side.tree->open(OutputTree::Access::Read, unread)) return std::nullopt;
  sides_.push_back(std::move(side));
  return sides_.size() - 1;
}

void GitHistory::add_merge(const git::ObjectId& base, const git::ObjectId& ours, const git::ObjectId& theirs) {
  const auto first = add_side(base), second = add_side(ours), third = add_side(theirs);
  if (first && second && third) merges_.push_back({*first, *second, *third});
}

void GitHistory::add_picked(const git::ObjectId& commit, bool reverted) {
  Sink unread;
  const auto facts = repository_->facts(commit, unread);
  if (!facts || facts->parents.empty()) return;
  const git::ObjectId head = sides_.front().commit, parent = facts->parents.front();
  add_merge(reverted ? commit : parent, head, reverted ? parent : commit);
}

void GitHistory::find_merges(FileSystem& fs) {
  const git::ObjectId head = sides_.front().commit;
  const std::string folder = repository_->private_folder() + "/";
  for (const git::ObjectId& theirs : commits_in(fs, folder + "MERGE_HEAD")) {
    is_merging_ = true;
    if (const auto side = add_side(theirs)) equal_.push_back(*side);
    for (const git::ObjectId& base : repository_->merge_bases(head, theirs)) add_merge(base, head, theirs);
  }
  for (const char* name : {"REBASE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"}) {
    for (const git::ObjectId& commit : commits_in(fs, folder + name)) {
      is_merging_ = true;
      add_picked(commit, std::string_view(name) == "REVERT_HEAD");
    }
  }
  if (const auto stash = repository_->ref_target("refs/stash")) add_picked(*stash, false);
  add_committed_merge();
}

// A merge may have been committed before the next render.
void GitHistory::add_committed_merge() {
  Sink unread;
  const auto facts = repository_->facts(sides_.front().commit, unread);
  if (!facts || facts->parents.size() < 2) return;
  for (const git::ObjectId& parent : facts->parents) {
    if (const auto side = add_side(parent)) parents_.push_back(*side);
  }
  if (parents_.size() != facts->parents.size()) parents_.clear();  // of a shallow clone
  const git::ObjectId ours = facts->parents.front();
  for (std::size_t i = 1; i < facts->parents.size(); ++i) {
    const git::ObjectId theirs = facts->parents[i];
    for (const git::ObjectId& base : repository_->merge_bases(ours, theirs)) add_merge(base, ours, theirs);
  }
}

void GitHistory::add_sides(const std::vector<std::size_t>& sides, const std::string& cluster, PreviousCluster& all,
                           Sink& sink) const {
  for (const std::size_t side : sides) {
    PreviousCluster other = read_previous(*sides_[side].tree, cluster, sink);
    all.conflicted.insert(all.conflicted.end(), other.conflicted.begin(), other.conflicted.end());
    if (!other.index) continue;
    if (all.index) {
      add_generations(all, other);
    } else {
      all.index = std::move(other.index);
      all.files = std::move(other.files);
    }
  }
}

std::optional<PreviousCluster> GitHistory::previous(const std::string& cluster, Sink& sink) const {
  PreviousCluster all = read_previous(*sides_.front().tree, cluster, sink);
  // A merge that was committed with conflict markers: its parents have what can't be read from its files.
  if (!all.conflicted.empty() && !parents_.empty()) {
    all = {};
    add_sides(parents_, cluster, all, sink);
  }
  FileStat stat;
  const bool is_there = !sides_.front().files->stat(path_in_output(cluster, kIndexName), stat);
  if (!all.index && is_there) return std::nullopt;
  add_sides(equal_, cluster, all, sink);
  return all;
}

bool GitHistory::has_index(const std::string& cluster, std::string_view index_text) const {
  return !is_merging_ && sides_.front().files->holds(path_in_output(cluster, kIndexName), index_text);
}

std::vector<Index> GitHistory::renders(const std::string& cluster) const {
  std::vector<git::ObjectId> seen;
  std::vector<Index> indexes;
  for (const Side& side : sides_) {
    const std::string path = path_in_output(cluster, kIndexName);
    git::ObjectId id;
    std::string text, why;
    if (side.files->object_id(path, id) || std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
    seen.push_back(id);
    if (side.files->read(path, text, kLargestFile)) continue;
    if (auto index = read_index(text, why)) indexes.push_back(*std::move(index));
  }
  return indexes;
}

bool GitHistory::read_render(std::size_t side, const std::string& cluster, const std::string& path,
                             std::string& text) const {
  std::string index_text, why;
  git::CommitFiles& files = *sides_[side].files;
  text.clear();
  if (files.read(path_in_output(cluster, kIndexName), index_text, kLargestFile)) return false;
  const auto index = read_index(index_text, why);
  const IndexedFile* file = index ? index->find(path) : nullptr;
  if (file == nullptr || files.read(path_in_output(cluster, path), text, kLargestFile)) return false;
  return file->size == text.size() && file->digest == sha256(text);
}

bool GitHistory::is_merged(const std::string& cluster, const std::string& path, const std::string& text) const {
  bool has_conflict = false;
  const auto as_ours = resolved(text, git::Favored::Ours, has_conflict);
  const auto as_theirs = resolved(text, git::Favored::Theirs, has_conflict);
  if (!as_ours || !as_theirs) return false;
  const std::size_t last_line = text.rfind('\n', text.size() < 2 ? 0 : text.size() - 2) + 1;
  const bool ends_in_conflict = has_conflict && std::string_view(text).substr(last_line).starts_with(">>>>>>> ");
  return std::any_of(merges_.begin(), merges_.end(), [&](const Merge& merge) {
    std::string base, ours, theirs;
    if (!read_render(merge.ours, cluster, path, ours) || !read_render(merge.theirs, cluster, path, theirs))
      return false;
    FileStat stat;
    const bool has_base = !sides_[merge.base].files->stat(path_in_output(cluster, path), stat);
    if (has_base && !read_render(merge.base, cluster, path, base)) return false;
    const auto comes_out = [&](const std::string& wanted, git::Favored favored) {
      const auto texts = repository_->merged_texts({base, ours, theirs}, favored);
      return std::any_of(texts.begin(), texts.end(), [&](const std::string& each) {
        return each == wanted || (ends_in_conflict && is_with_line_end(wanted, each));
      });
    };
    const bool by_ours = comes_out(*as_ours, git::Favored::Ours);
    const bool by_theirs = comes_out(*as_theirs, git::Favored::Theirs);
    return has_conflict ? by_ours && by_theirs : by_ours || by_theirs;
  });
}

std::set<std::string, std::less<>> clusters_of_history(const std::string& output) {
  std::set<std::string, std::less<>> names;
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::weakly_canonical(output.empty() ? "." : output, failed);
  Sink unread;  // without a history, nothing is known of removed clusters
  const auto repository = failed ? nullptr : git::open_repository(folder.string(), unread);
  const auto below = repository == nullptr ? std::nullopt : repository->path_below_root(folder.string());
  const auto head = below ? repository->head(unread) : std::nullopt;
  if (!head || !head->commit) return names;
  std::vector<git::ObjectId> waiting{*head->commit};
  std::set<git::ObjectId> commits{*head->commit}, trees;  // known
  while (!waiting.empty()) {
    const git::ObjectId commit = waiting.back();
    waiting.pop_back();
    const auto facts = repository->facts(commit, unread);
    if (!facts) continue;  // of a shallow clone
    for (const git::ObjectId& parent : facts->parents) {
      if (commits.insert(parent).second) waiting.push_back(parent);
    }
    const auto files = repository->files(commit, *below, unread);
    git::ObjectId tree;
    std::vector<DirEntry> entries;
    if (files == nullptr || files->object_id("clusters", tree) || !trees.insert(tree).second) continue;
    if (files->list("clusters", entries)) continue;
    for (const DirEntry& entry : entries) {
      if (entry.type == FileType::Directory) names.insert(entry.name);
    }
  }
  return names;
}

}  // namespace capwright::workflow
