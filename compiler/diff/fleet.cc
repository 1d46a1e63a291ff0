// Results go into slots by index, or are sorted, so that they don't depend on scheduling.
#include "diff/fleet.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <set>

#include "files/index.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"
#include "pipeline/layers.h"
#include "pipeline/removals.h"
#include "pipeline/template_set.h"

namespace capwright::diff {
namespace {

// The stamp excludes secrets, so it is only reliable for inputs without them.
bool has_sound_stamp(const CompiledCluster& cluster) { return cluster.clean() && cluster.secrets.places.empty(); }

// The side of a cluster that was rendered without errors; otherwise adds the cluster to the failed ones.
std::unique_ptr<Side> side_of(FailedSide side, LoadedPair& pair, const Limits& limits) {
  if (side.cluster->clean()) return std::make_unique<Side>(std::move(side.cluster), limits);
  pair.failed.push_back(std::move(side));
  return nullptr;
}

// `rendered` finishes the cluster and returns its side.
template <class Rendered>
void add_unchanged(std::unique_ptr<CompiledCluster> cluster, Traces traces, const Rendered& rendered,
                   LoadedPair& pair) {
  pair.same = true;
  if (traces == Traces::Control && cluster->set != nullptr && cluster->set->plain)
    pair.after = rendered(std::move(cluster));
  else pair.loaded = std::move(cluster);
}

struct BothTrees {
  const OutputTree& own;  // of the side
  const OutputTree& other;
};

// The tool that delivers the tree applies them, too. An object that the render has as well stays when its file leaves
// the side before; files that stay as they are aren't compared.
void add_loose_files(Side& side, bool is_before, const FileSet& rendered, const BothTrees& trees,
                     const Limits& limits) {
  const auto is_in_both = [&](const LooseFile& file) {
    return trees.other.has_clusters() &&
           trees.other.fs().holds(trees.other.clusters() / (rendered.cluster() + "/" + file.path), file.text);
  };
  for (LooseFile& file : files_beside(trees.own, rendered, limits)) {
    if (is_before && !is_in_both(file) && only_redefines(file, rendered, limits)) continue;
    side.add_file(std::move(file.path), std::move(file.text));
  }
  side.show_in(trees.own.shown_path(rendered.directory()), trees.own.shown_path(""));
}

// A pair of two different clusters gives two results.
struct Compared {
  std::size_t ignored = 0;
  std::string other_folder;  // its name; empty: it is a cluster
  std::vector<MadeCluster> made;
  std::vector<FailedSide> failed;
  Sink faults;  // of the file system
};

void add_made(const LoadedPair& pair, std::vector<MadeCluster>& made) {
  const auto add = [&](const CompiledCluster* cluster) {
    if (cluster != nullptr) made.push_back({cluster->name, cluster->values_path});
  };
  add(pair.loaded.get());
  add(pair.after != nullptr ? pair.after->compiled() : nullptr);
  for (const FailedSide& side : pair.failed) add(side.is_before ? nullptr : side.cluster.get());
}

class FleetComparison {
 public:
  FleetComparison(PairSource& pairs, const CompareOptions& options, const Visit& visit)
      : pairs_(pairs), options_(options), visit_(visit) {}

  Compared compare_one(std::size_t number) {
    Compared done;
    LoadedPair pair = pairs_.load(number);
    add_made(pair, done.made);
    if (!pair.is_cluster) done.other_folder = pair.after->cluster();
    const bool is_complete = pair.failed.empty() && !pair.faults.failed();
    if (is_complete && pair.same && visit_) visit_(number, {}, pair);
    if (is_complete && !pair.same) {
      const bool are_two = pair.before && pair.after && pair.before->cluster() != pair.after->cluster();
      if (are_two && pair.before->compiled() != nullptr) {
        add(number, pair, pair.before.get(), nullptr, done);
        add(number, pair, nullptr, pair.after.get(), done);
      } else if (pair.before || pair.after) {
        add(number, pair, pair.before.get(), pair.after.get(), done);
      }
    }
    std::ranges::move(pair.failed, std::back_inserter(done.failed));
    done.faults = std::move(pair.faults);
    return done;
  }

  // After all comparisons.
  PackedList<ClusterRecord> take_records() {
    records_.sort();
    return std::move(records_);
  }

 private:
  void add(std::size_t number, const LoadedPair& pair, Side* before, Side* after, Compared& done) {
    const ClusterDiff diff = compare(before, after, options_);
    if (fails(after, false, done) || fails(before, true, done)) return;
    done.ignored += diff.ignored;
    if (visit_) visit_(number, diff, pair);
    const bool is_equal = diff.pairs.empty() && diff.kind == ClusterDiff::Kind::Changed;
    if (is_equal || !options_.keeps_records) return;
    ClusterRecord record = record_of(diff, before, after);
    if (!record.differs) return;
    const std::lock_guard lock(lock_);
    records_.add(std::move(record), number);
  }

  // Whether compare() found a rendered file that isn't YAML: its objects are unknown.
  static bool fails(Side* side, bool is_before, Compared& done) {
    if (side == nullptr || !side->report_broken()) return false;
    done.failed.push_back({side->take_compiled(), is_before});
    return true;
  }

  PairSource& pairs_;
  const CompareOptions& options_;
  const Visit& visit_;
  std::mutex lock_;
  PackedList<ClusterRecord> records_;
};

}  // namespace

FolderPairs::FolderPairs(FileSystem& before_fs, std::vector<ClusterFolder> before, FileSystem& after_fs,
                         std::vector<ClusterFolder> after, const Limits& limits)
    : before_fs_(before_fs),
      after_fs_(after_fs),
      before_(std::move(before)),
      after_(std::move(after)),
      limits_(limits) {
  if (before_.size() == 1 && after_.size() == 1) {
    pairs_.push_back({&before_[0], &after_[0]});
    return;
  }
  std::map<std::string_view, Pair> by_name;
  for (const ClusterFolder& folder : before_) by_name[folder.cluster].before = &folder;
  for (const ClusterFolder& folder : after_) by_name[folder.cluster].after = &folder;
  for (const auto& [name, pair] : by_name) pairs_.push_back(pair);
}

LoadedPair FolderPairs::load(std::size_t number) {
  LoadedPair pair;
  const auto [before, after] = pairs_[number];
  if (before != nullptr) pair.before = read_folder(before_fs_, *before, limits_, pair.faults);
  if (after != nullptr) pair.after = read_folder(after_fs_, *after, limits_, pair.faults);
  for (Side* side : {pair.before.get(), pair.after.get()}) {
    if (side != nullptr) side->edit_objects(edit_);
  }
  return pair;
}

TreePairs::TreePairs(std::vector<std::string> values_paths, Project& project, const OutputTree& tree, Traces traces,
                     const OutputTree* earlier)
    : values_paths_(std::move(values_paths)),
      project_(project),
      tree_(tree),
      earlier_(earlier == nullptr ? tree : *earlier),
      traces_(traces) {}

LoadedPair TreePairs::load(std::size_t number) {
  LoadedPair pair;
  const Limits& limits = project_.options().limits;
  const auto rendered = [&](std::unique_ptr<CompiledCluster> made) {
    finish_cluster(*made, project_, &earlier_, traces_ == Traces::Control);
    return side_of({std::move(made), false}, pair, limits);
  };
  auto cluster = load_cluster(values_paths_[number], project_);
  if (&earlier_ == &tree_ && has_sound_stamp(*cluster) && is_up_to_date(tree_, cluster->name, cluster->stamp) &&
      !may_lose_entries(tree_, cluster->name, project_)) {
    add_unchanged(std::move(cluster), traces_, rendered, pair);
    return pair;
  }
  pair.after = rendered(std::move(cluster));
  if (pair.after == nullptr) return pair;
  const FileSet& files = pair.after->compiled()->files;
  pair.before = read_tree(tree_, files, limits, pair.faults);
  if (&earlier_ == &tree_) return pair;  // the same files are beside both
  if (pair.before != nullptr) add_loose_files(*pair.before, true, files, {tree_, earlier_}, limits);
  add_loose_files(*pair.after, false, files, {earlier_, tree_}, limits);
  return pair;
}

std::unique_ptr<Side> read_as_it_is(const RenderedSide& side, const std::string& cluster, Sink& faults,
                                    const Outputs& outputs) {
  const Project& project = side.project;
  std::vector<std::string> outside = files_for(outputs, side.tree, cluster);
  if (outside.empty() && !has_files(side.tree, cluster)) return nullptr;
  const std::string output = project.workspace().io_path(project.config().output);
  return read_all_files(side.tree, folder_in(side.tree, output, cluster, std::move(outside)), project.options().limits,
                        faults);
}

RenderPairs::RenderPairs(RenderedSide before, RenderedSide after, Traces traces)
    : before_(std::move(before)),
      after_(std::move(after)),
      traces_(traces),
      same_inputs_(before_.project, after_.project) {
  std::map<std::string, Pair> by_path;
  for (const std::string& path : before_.values_paths) by_path[path].before = path;
  for (const std::string& path : after_.values_paths) by_path[path].after = path;
  pair_moved(by_path, [](const std::string& path, const RenderedSide&) { return std::string(cluster_stem(path)); });
  pair_moved(by_path,
             [](const std::string& path, const RenderedSide& side) { return load_cluster(path, side.project)->name; });
  for (auto& [path, pair] : by_path) {
    if (!pair.before.empty() || !pair.after.empty()) pairs_.push_back(std::move(pair));
  }
}

// Pairs files that exist on one side only if `name_of` returns the same name for both.
void RenderPairs::pair_moved(std::map<std::string, Pair>& by_path, NameOf* name_of) {
  std::map<std::string, Pair*> gone;
  const bool some_are_new =
      std::any_of(by_path.begin(), by_path.end(), [](const auto& entry) { return entry.second.before.empty(); });
  for (auto& [path, pair] : by_path) {
    if (some_are_new && pair.after.empty() && !pair.before.empty()) gone[name_of(pair.before, before_)] = &pair;
  }
  for (auto& [path, pair] : by_path) {
    if (gone.empty() || !pair.before.empty() || pair.after.empty()) continue;
    const auto moved = gone.find(name_of(pair.after, after_));
    if (moved == gone.end()) continue;
    pair.before = std::move(moved->second->before);
    moved->second->before.clear();
    gone.erase(moved);
  }
}

LoadedPair RenderPairs::load(std::size_t number) {
  LoadedPair pair;
  const auto& [before_path, after_path] = pairs_[number];
  const auto load_from = [](const std::string& path, RenderedSide& side) {
    return path.empty() ? nullptr : load_cluster(path, side.project);
  };
  const auto finish = [&](FailedSide made, RenderedSide& side) -> std::unique_ptr<Side> {
    if (made.cluster == nullptr) return nullptr;
    const bool is_before = made.is_before;
    finish_cluster(*made.cluster, side.project, &side.tree, traces_ == Traces::Control);
    auto rendered = side_of(std::move(made), pair, side.project.options().limits);
    if (rendered == nullptr) return rendered;
    const OutputTree& other = is_before ? after_.tree : before_.tree;
    add_loose_files(*rendered, is_before, rendered->compiled()->files, {side.tree, other},
                    side.project.options().limits);
    return rendered;
  };
  const auto finish_after = [&](std::unique_ptr<CompiledCluster> made) {
    return finish({std::move(made), false}, after_);
  };
  auto after = load_from(after_path, after_);
  if (before_.project.config().file == FileId::None) {
    const auto named = after ? nullptr : load_from(before_path, before_);
    const std::string name = after ? after->name : named->name;
    if (is_written_by_others(name)) {
      pair.before = read_as_it_is(before_, name, pair.faults, after_.tree.outputs());
      pair.after = finish_after(std::move(after));
      return pair;
    }
  }
  if (after && before_path == after_path && same_inputs_.of(*after) && has_same_loose_files(after->name)) {
    add_unchanged(std::move(after), traces_, finish_after, pair);
    return pair;
  }
  auto before = load_from(before_path, before_);
  if (before && after && has_sound_stamp(*before) && has_sound_stamp(*after)) {
    const bool is_same =
        before->name == after->name && before->stamp.same_inputs(after->stamp) && has_same_loose_files(after->name);
    if (is_same) {
      add_unchanged(std::move(after), traces_, finish_after, pair);
      return pair;
    }
  }
  pair.before = finish({std::move(before), true}, before_);
  pair.after = finish_after(std::move(after));
  return pair;
}

// A script, for example: its values can't be rendered, and its files are what the management cluster has.
bool RenderPairs::is_written_by_others(const std::string& cluster) const {
  FileStat stat;
  const std::string index = cluster + "/" + std::string(kIndexName);
  if (!has_files(before_.tree, cluster)) return !files_for(after_.tree.outputs(), before_.tree, cluster).empty();
  return before_.tree.fs().stat(before_.tree.clusters() / index, stat).code == ENOENT;
}

// Argo CD reads the files of the folder, and a render keeps the entries that it finds there. Equal inputs therefore
// don't mean equal objects.
bool RenderPairs::has_same_loose_files(const std::string& cluster) const {
  return have_same_loose_files(before_.tree, after_.tree, cluster, after_.project.options().limits);
}

bool FleetResult::failed_somewhere() const { return !failed.empty() || fails_now(); }

bool FleetResult::fails_now() const {
  return std::any_of(failed.begin(), failed.end(), [](const FailedSide& side) { return !side.is_before; }) ||
         std::any_of(faults.begin(), faults.end(), [](const Sink& sink) { return sink.failed(); });
}

std::vector<std::string> FleetResult::not_compared() const {
  std::set<std::string> names;
  for (const FailedSide& side : failed)
    names.insert(side.cluster->name.empty() ? side.cluster->values_path : side.cluster->name);
  return {names.begin(), names.end()};
}

FleetResult compare_fleet(PairSource& pairs, const CompareOptions& options, unsigned jobs, const Visit& visit) {
  FleetComparison comparison(pairs, options, visit);
  std::vector<Compared> compared(pairs.size());
  parallel_for(compared.size(), jobs, {options.progress, "Comparing", "clusters"},
               [&](std::size_t i) { compared[i] = comparison.compare_one(i); });
  FleetResult result;
  for (Compared& one : compared) {
    const bool failed = !one.failed.empty() || one.faults.failed();
    if (!one.other_folder.empty() && !failed) result.other_folders.insert(std::move(one.other_folder));
    else ++(failed ? result.failed_pairs : result.compared);
    result.ignored += one.ignored;
    std::move(one.made.begin(), one.made.end(), std::back_inserter(result.made));
    for (FailedSide& side : one.failed) result.failed.push_back(std::move(side));
    if (!one.faults.diagnostics().empty()) result.faults.push_back(std::move(one.faults));
  }
  result.clusters = comparison.take_records();
  return result;
}

}  // namespace capwright::diff
