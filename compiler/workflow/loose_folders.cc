// Most clusters have the name of their values file, so the names of all clusters are looked up only if there is a
// folder without a values file of its name.
#include "workflow/loose_folders.h"

#include <set>

#include "diff/folders.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"

namespace capwright::workflow {
namespace {

void add_folders(const OutputTree& tree, std::set<std::string>& folders) {
  std::vector<DirEntry> entries;
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return;
  for (const DirEntry& entry : entries) {
    const bool is_cluster = entry.type == FileType::Directory && !entry.name.starts_with('.');
    if (is_cluster && diff::has_files(tree, entry.name)) folders.insert(entry.name);
  }
}

void remove_stems(const diff::RenderedSide& side, std::set<std::string>& folders) {
  for (const std::string& path : side.values_paths) folders.erase(std::string(cluster_stem(path)));
}

void remove_names(const diff::RenderedSide& side, std::set<std::string>& folders) {
  for (const std::string& path : side.values_paths) {
    if (folders.empty()) return;
    const std::string name = name_in_text(path, side.project);
    folders.erase(name.empty() ? load_cluster(path, side.project)->name : name);
  }
}

std::vector<std::string> loose_folders(const diff::RenderedSide& before, const diff::RenderedSide& after) {
  std::set<std::string> folders;
  add_folders(before.tree, folders);
  add_folders(after.tree, folders);
  for (const auto* side : {&before, &after}) remove_stems(*side, folders);
  for (const auto* side : {&before, &after}) remove_names(*side, folders);
  return {folders.begin(), folders.end()};
}

}  // namespace

LooseFolderPairs::LooseFolderPairs(std::unique_ptr<diff::PairSource> rendered, const diff::RenderedSide& before,
                                   const diff::RenderedSide& after)
    : rendered_(std::move(rendered)), before_(before), after_(after), folders_(loose_folders(before, after)) {}

diff::LoadedPair LooseFolderPairs::load(std::size_t number) {
  if (number < rendered_->size()) return rendered_->load(number);
  const std::string& folder = folders_[number - rendered_->size()];
  diff::LoadedPair pair;
  pair.before = diff::read_as_it_is(before_, folder, pair.faults);
  pair.after = diff::read_as_it_is(after_, folder, pair.faults);
  return pair;
}

}  // namespace capwright::workflow
