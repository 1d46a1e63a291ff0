// Compares a fleet cluster by cluster: both sides of one are loaded, compared and freed before the next.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "diff/compare.h"
#include "diff/folders.h"
#include "diff/packed.h"
#include "diff/record.h"
#include "diff/same_inputs.h"
#include "pipeline/project.h"

namespace capwright::diff {

// A cluster that can't be rendered on one side: its findings have the reason.
struct FailedSide {
  std::unique_ptr<CompiledCluster> cluster;
  bool is_before = false;
};

// Both sides of one cluster.
struct LoadedPair {
  std::unique_ptr<Side> before, after;  // null: it doesn't exist there
  bool is_cluster = true;               // false: a folder of `clusters/` without a Cluster, with both sides
  bool same = false;                    // known without reading files
  // Of an unchanged one: its values, not rendered; may be null. With Traces::Control, one of a plain template folder is
  // rendered instead, as `after`: its values don't say how many machines it has.
  std::unique_ptr<CompiledCluster> loaded;
  std::vector<FailedSide> failed;  // then nothing is compared
  Sink faults;                     // of the file system
};

// Provides the sides of clusters.
class PairSource {
 public:
  virtual ~PairSource() = default;
  virtual std::size_t size() const = 0;
  // Called by several threads with different numbers.
  virtual LoadedPair load(std::size_t number) = 0;
};

// Two sets of folders, matched by the names of clusters. Two single clusters are a pair, whatever their names.
class FolderPairs final : public PairSource {
 public:
  FolderPairs(FileSystem& before_fs, std::vector<ClusterFolder> before, FileSystem& after_fs,
              std::vector<ClusterFolder> after, const Limits& limits);
  // Edits all objects before they are compared.
  void edit_objects(Side::Edit edit) { edit_ = edit; }
  std::size_t size() const override { return pairs_.size(); }
  LoadedPair load(std::size_t number) override;

 private:
  struct Pair {
    const ClusterFolder* before = nullptr;
    const ClusterFolder* after = nullptr;
  };
  FileSystem& before_fs_;
  FileSystem& after_fs_;
  std::vector<ClusterFolder> before_, after_;
  std::vector<Pair> pairs_;
  Limits limits_;
  Side::Edit edit_ = nullptr;
};

// Whether a render also records the conditions and loops around each text, which costs a little.
enum class Traces : std::uint8_t { Calls, Control };

// The tree against its new render. Doesn't render clusters whose inputs are unchanged by the index.
class TreePairs final : public PairSource {
 public:
  // `earlier`: the tree whose generations and removals the render has; null: `tree`. A commit is rendered onto its
  // parent, and compared with what was published before both. Then the sides also have the files beside the render.
  TreePairs(std::vector<std::string> values_paths, Project& project, const OutputTree& tree,
            Traces traces = Traces::Calls, const OutputTree* earlier = nullptr);
  std::size_t size() const override { return values_paths_.size(); }
  LoadedPair load(std::size_t number) override;

 private:
  std::vector<std::string> values_paths_;
  Project& project_;
  const OutputTree& tree_;
  const OutputTree& earlier_;
  Traces traces_;
};

// One of two rendered projects: the repository now, or in a revision.
struct RenderedSide {
  Project& project;
  const OutputTree& tree;  // has the earlier generations
  std::vector<std::string> values_paths;
};

// All files of a cluster in the tree of the side, as they are, not rendered; null: it has none. `outputs`: of the other
// side, for files that another tool wrote elsewhere.
std::unique_ptr<Side> read_as_it_is(const RenderedSide& side, const std::string& cluster, Sink& faults,
                                    const Outputs& outputs = {});

// Matches values files by path, then by file name, then by the cluster name that they state. Doesn't render clusters
// with the same inputs and files beside the render on both sides; the sides also have these files of the trees. If the
// side before has no configuration, folders of its tree that another tool wrote are compared as they are.
class RenderPairs final : public PairSource {
 public:
  RenderPairs(RenderedSide before, RenderedSide after, Traces traces = Traces::Calls);
  std::size_t size() const override { return pairs_.size(); }
  LoadedPair load(std::size_t number) override;

 private:
  struct Pair {
    std::string before, after;  // values files; empty: none
  };
  bool is_written_by_others(const std::string& cluster) const;
  using NameOf = std::string(const std::string& values_path, const RenderedSide&);
  bool has_same_loose_files(const std::string& cluster) const;
  void pair_moved(std::map<std::string, Pair>& by_path, NameOf* name_of);

  RenderedSide before_, after_;
  Traces traces_;
  std::vector<Pair> pairs_;
  SameInputs same_inputs_;
};

// The cluster of a values file on the side after.
struct MadeCluster {
  std::string name, values_path;  // the name may be empty if it can't be read
};

struct FleetResult {
  PackedList<ClusterRecord> clusters;  // those that differ, by name; see CompareOptions::keeps_records
  std::size_t compared = 0, failed_pairs = 0;
  std::size_t ignored = 0;              // changes
  std::set<std::string> other_folders;  // that were compared and aren't clusters; `compared` leaves them out
  std::vector<FailedSide> failed;
  std::vector<Sink> faults;
  std::vector<MadeCluster> made;  // in the order of pairs; empty for folders

  bool failed_somewhere() const;
  // Whether a cluster failed on the side after.
  bool fails_now() const;
  // The names of the clusters in `failed`; without a name, the path of the values file.
  std::vector<std::string> not_compared() const;
};

// Called for every compared cluster, and every unchanged one (without sides, with an empty diff), in any order and by
// several threads.
using Visit = std::function<void(std::size_t number, const ClusterDiff&, const LoadedPair&)>;

FleetResult compare_fleet(PairSource& pairs, const CompareOptions& options, unsigned jobs, const Visit& visit = {});

}  // namespace capwright::diff
