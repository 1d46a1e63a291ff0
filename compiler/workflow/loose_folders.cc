// Most clusters have the name of their values file, so the names of all clusters are looked up only if there is a
// folder without a values file of its name.
#include "workflow/loose_folders.h"

#include <algorithm>
#include <iterator>

#include "diff/folders.h"
#include "files/index.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"
#include "pipeline/removals.h"

namespace capwright::workflow {
namespace {

void add_folders(const OutputTree& tree, std::set<std::string>& folders) {
  std::vector<DirEntry> entries;
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return;
  for (const DirEntry& entry : entries) {
    if (entry.type == FileType::Directory && !entry.name.starts_with('.')) folders.insert(entry.name);
  }
}

void remove_stems(const std::vector<std::string>& values_paths, std::set<std::string>& folders) {
  for (const std::string& path : values_paths) folders.erase(std::string(cluster_stem(path)));
}

void remove_names(const std::vector<std::string>& values_paths, Project& project, std::set<std::string>& folders) {
  for (const std::string& path : values_paths) {
    if (folders.empty()) return;
    const std::string name = name_in_text(path, project);
    folders.erase(name.empty() ? load_cluster(path, project)->name : name);
  }
}

std::vector<std::string> loose_folders(const diff::RenderedSide& before, const diff::RenderedSide& after) {
  std::set<std::string> folders;
  add_folders(before.tree, folders);
  add_folders(after.tree, folders);
  for (const auto* side : {&before, &after}) remove_stems(side->values_paths, folders);
  std::erase_if(folders, [&](const std::string& folder) {
    return !diff::has_files(before.tree, folder) && !diff::has_files(after.tree, folder);
  });
  for (const auto* side : {&before, &after}) remove_names(side->values_paths, side->project, folders);
  return {folders.begin(), folders.end()};
}

// A file that can't be parsed may have one, and so may a link, which isn't read. A folder that was rendered is a
// cluster, too.
bool may_have_cluster(const OutputTree& tree, diff::Side* side) {
  if (side == nullptr) return false;
  side->read_all();
  const bool is_unknown = side->files().empty() || std::ranges::any_of(side->files(), &diff::SideFile::broken);
  return is_unknown || tree.fs().exists(tree.clusters() / (side->cluster() + "/" + std::string(kIndexName))) ||
         std::ranges::any_of(side->objects(), [](const diff::Object& object) {
           return object.kind == "Cluster" && object.group == "cluster.x-k8s.io";
         });
}

}  // namespace

std::vector<std::string> folders_without_values(const OutputTree& tree, const std::vector<std::string>& values_paths,
                                                Project& project) {
  std::set<std::string> folders;
  add_folders(tree, folders);
  // A cluster that got another name since then has a folder of that name, so most runs read no names.
  std::set<std::string> others = folders;
  remove_stems(values_paths, others);
  if (others.empty()) return {};
  std::vector<std::string> unnamed;  // their values must be loaded
  for (const std::string& path : values_paths) {
    const std::string name = name_in_text(path, project);
    if (name.empty()) unnamed.push_back(path);
    folders.erase(name.empty() ? std::string(cluster_stem(path)) : name);
  }
  std::erase_if(folders, [&](const std::string& folder) { return !diff::has_files(tree, folder); });
  remove_names(unnamed, project, folders);
  return {folders.begin(), folders.end()};
}

std::string file_for_a_build(std::span<const lint::Manifest> manifests, FileSystem& fs, const Workspace& workspace) {
  std::string last;
  for (const lint::Manifest& manifest : manifests) {
    const std::size_t name = manifest.path.rfind('/') + 1;
    if (manifest.path.substr(name) == "Chart.yaml") return manifest.path;
    const std::string folder = manifest.path.substr(0, name);
    for (const std::string_view each : kKustomizations) {
      std::string path = folder + std::string(each);
      if (folder != last && fs.exists(workspace.io_path(path))) return path;
    }
    last = folder;
  }
  return {};
}

LooseFolderPairs::LooseFolderPairs(std::unique_ptr<diff::PairSource> rendered, const diff::RenderedSide& before,
                                   const diff::RenderedSide& after)
    : rendered_(std::move(rendered)), before_(before), after_(after), folders_(loose_folders(before, after)) {}

LooseFolderPairs::LooseFolderPairs(std::unique_ptr<diff::PairSource> rendered, const diff::RenderedSide& before,
                                   const diff::RenderedSide& after, const std::set<std::string>& made,
                                   const std::vector<std::string>& removed)
    : rendered_(std::move(rendered)), before_(before), after_(after), removed_(removed.begin(), removed.end()) {
  std::set<std::string> folders = removed_;
  if (&before.tree != &after.tree) {
    add_folders(before.tree, folders);
    add_folders(after.tree, folders);
  }
  std::ranges::set_difference(folders, made, std::back_inserter(folders_));
}

diff::LoadedPair LooseFolderPairs::load(std::size_t number) {
  if (number < rendered_->size()) return rendered_->load(number);
  const std::string& folder = folders_[number - rendered_->size()];
  diff::LoadedPair pair;
  pair.before = diff::read_as_it_is(before_, folder, pair.faults);
  if (!removed_.contains(folder)) pair.after = diff::read_as_it_is(after_, folder, pair.faults);
  if (pair.faults.failed() || (pair.before == nullptr && pair.after == nullptr)) return pair;
  // Both, because compare() expects that the same files are parsed on both sides.
  const bool was_cluster = may_have_cluster(before_.tree, pair.before.get());
  pair.is_cluster = may_have_cluster(after_.tree, pair.after.get()) || was_cluster;
  if (pair.is_cluster) return pair;
  // Its objects are compared one by one, also if all of them are new or removed.
  for (auto* side : {&pair.before, &pair.after}) {
    if (*side == nullptr) *side = std::make_unique<diff::Side>(folder);
  }
  return pair;
}

}  // namespace capwright::workflow
