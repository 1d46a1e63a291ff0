// Compares files with objects of the commit; most clusters share most of their inputs, so each file is compared once.
#include "workflow/affected.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "git/repository.h"
#include "pipeline/fleet_names.h"
#include "pipeline/parallel.h"
#include "workflow/base_project.h"
#include "workflow/recorded_inputs.h"

namespace capwright::workflow {
namespace {

// The working tree and a commit of it. Paths are relative to the root of the repository.
class TwoTrees {
 public:
  // `files` start at the top of the Git repository, and `root` leads from there to the root.
  TwoTrees(OpenProject& open, git::CommitFiles& files, std::string root)
      : open_(open), files_(files), root_(std::move(root)) {}

  // Adds the paths that differ.
  void add_changes(const report::ClusterInputs& inputs, std::set<std::string>& changed) {
    for (const std::string& path : inputs.files) {
      if (!is_same(path, &TwoTrees::has_same_text)) changed.insert(path);
    }
    for (const std::string& path : inputs.missing) {
      if (!is_same(path, &TwoTrees::is_missing)) changed.insert(path);
    }
    for (const std::string& path : inputs.folders) {
      if (!is_same(path, &TwoTrees::has_same_names)) changed.insert(path);
    }
    if (!inputs.tree.empty()) add_changes_below(inputs.tree, changed);
    for (const std::string& path : inputs.outputs) {
      if (!has_same_text(path, in_commit(path))) changed.insert(path);
    }
  }

 private:
  using Question = bool (TwoTrees::*)(const std::string&, const std::string&) const;

  // Asks once per path. A path outside of the Git repository has no other version: it counts as changed.
  bool is_same(const std::string& path, Question question) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = known_.find(path); known != known_.end()) return known->second;
    }
    const std::string committed = in_commit(path);
    const bool is_outside = path.starts_with('/') || committed.starts_with("../");
    const bool answer = !is_outside && (this->*question)(path, committed);
    const std::lock_guard lock(mutex_);
    return known_.emplace(path, answer).first->second;
  }

  std::string in_commit(const std::string& path) const {
    return std::filesystem::path(root_ + path).lexically_normal().string();
  }
  std::string on_disk(const std::string& path) const { return open_.project->workspace().io_path(path); }

  bool has_same_text(const std::string& path, const std::string& committed) const {
    std::string text;
    return !open_.fs.read(on_disk(path), text, open_.limits.output_bytes) && files_.holds(committed, text);
  }
  bool is_missing(const std::string&, const std::string& committed) const { return !files_.exists(committed); }

  // Names with the types that matter; none without the folder.
  static std::map<std::string, bool> entries(FileSystem& fs, const std::string& folder) {
    std::vector<DirEntry> found;
    std::map<std::string, bool> names;
    if (fs.list(folder.empty() ? "." : folder, found)) return names;
    for (DirEntry& entry : found) names.emplace(std::move(entry.name), entry.type == FileType::Directory);
    return names;
  }
  bool has_same_names(const std::string& path, const std::string& committed) const {
    return entries(open_.fs, on_disk(path)) == entries(files_, committed);
  }

  // Only one cluster has these files, so nothing is remembered.
  void add_changes_below(const std::string& folder, std::set<std::string>& changed) const {
    const std::string committed = in_commit(folder);
    std::map<std::string, bool> now = entries(open_.fs, on_disk(folder));
    const std::map<std::string, bool> before = entries(files_, committed);
    if (now.empty() && before.empty()) return;
    for (const auto& [name, is_folder] : before) now.emplace(name, is_folder);
    for (const auto& [name, is_folder] : now) {
      const std::string path = folder + "/" + name;
      if (is_folder) add_changes_below(path, changed);
      else if (!has_same_text(path, committed + "/" + name)) changed.insert(path);
    }
  }

  OpenProject& open_;
  git::CommitFiles& files_;
  const std::string root_;
  std::mutex mutex_;
  std::map<std::string, bool, std::less<>> known_;  // whether a path is the same
};

// Clusters of the revision without a values file now, unless another file has the name.
void add_removed(BaseProject& base, const std::vector<std::string>& now, const Shard& shard,
                 report::AffectedClusters& affected, const std::set<std::string>& names) {
  if (base.project == nullptr) return;
  for (const std::string& path : base.clusters) {
    if (!shard.has(path) || std::find(now.begin(), now.end(), path) != now.end()) continue;
    std::string name = name_in_text(path, *base.project);
    if (name.empty()) name = cluster_stem(path);
    if (!names.contains(name)) affected.removed.push_back({std::move(name), path, {}});
  }
}

}  // namespace

bool find_affected(const AffectedRequest& request, const RepositoryOptions& repository, OpenProject& open,
                   report::AffectedClusters& affected) {
  const std::string& prefix = open.project->workspace().prefix;
  std::error_code failed;
  const std::string root = std::filesystem::weakly_canonical(prefix.empty() ? "." : prefix, failed).string();
  const auto git = git::open_repository(root, open.sink);
  if (git == nullptr) return false;
  const auto commit =
      request.merge_base ? git->merge_base(request.base, open.sink) : git->commit(request.base, open.sink);
  const auto folder = git->path_below_root(root);
  if (!commit || !folder) return false;
  const auto files = git->files(*commit, "", open.sink), below = git->files(*commit, *folder, open.sink);
  const std::vector<std::string> all = choose_clusters(open, {});
  if (files == nullptr || below == nullptr || open.sink.failed()) return false;

  std::vector<std::string> chosen = all;
  std::erase_if(chosen, [&](const std::string& path) { return !request.shard.has(path); });
  RecordedInputs recorded(
      {.repository = repository, .values = {}, .plain = {}, .writes = false, .output = {}, .encrypts = true}, open);
  if (!recorded.record(chosen, request.jobs)) return false;
  const auto& clusters = recorded.clusters();
  TwoTrees trees(open, *files, folder->empty() ? "" : *folder + "/");
  std::vector<std::set<std::string>> changed(clusters.size());
  parallel_for(clusters.size(), request.jobs, [&](std::size_t i) { trees.add_changes(clusters[i], changed[i]); });
  const auto base = open_base(*below, {}, *open.project, ValuesFolders::Optional);
  for (const git::CommitFiles* each : {files.get(), below.get()}) {
    const auto missing = each->unreadable();
    if (missing) git::report_missing_objects(*git, request.base, *missing, open.sink);
    if (missing) return false;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    names.insert(clusters[i].name);
    if (!changed[i].empty())
      affected.clusters.push_back({clusters[i].name, clusters[i].values_path, {changed[i].begin(), changed[i].end()}});
  }
  affected.base = request.base;
  add_removed(*base, all, request.shard, affected, names);
  return true;
}

}  // namespace capwright::workflow
