// A fleet, compared cluster by cluster: both sides of one are made, looked at and let go before the next.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "diff/compare.h"
#include "diff/folders.h"
#include "diff/record.h"
#include "diff/same_inputs.h"
#include "pipeline/project.h"

namespace capwright::diff {

// A cluster that can't be rendered on one side: its findings say why.
struct FailedSide {
  std::unique_ptr<CompiledCluster> cluster;
  bool is_before = false;
};

// Both sides of one cluster.
struct LoadedPair {
  std::unique_ptr<Side> before, after;  // null: it isn't there
  bool same = false;                    // known without looking at files
  std::unique_ptr<CompiledCluster>
      loaded;                      // of one that is the same: its values, nothing rendered; null: there are none
  std::vector<FailedSide> failed;  // nothing is compared then
  Sink faults;                     // of the file system
};

// Where the sides come from.
class PairSource {
 public:
  virtual ~PairSource() = default;
  virtual std::size_t size() const = 0;
  // Threads call it for different numbers.
  virtual LoadedPair load(std::size_t number) = 0;
};

// Two sets of folders, matched by the names of clusters. Two single clusters are one, whatever they are called.
class FolderPairs final : public PairSource {
 public:
  FolderPairs(FileSystem& before_fs, std::vector<ClusterFolder> before, FileSystem& after_fs,
              std::vector<ClusterFolder> after, const Limits& limits);
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
};

// Whether what is rendered also knows which conditions and loops let its text out, which costs a little.
enum class Traces : std::uint8_t { Calls, Control };

// What a tree has, and what would be rendered into it. A cluster whose index says that it was rendered from the same
// inputs is not rendered.
class TreePairs final : public PairSource {
 public:
  TreePairs(std::vector<std::string> values_paths, Project& project, const OutputTree& tree,
            Traces traces = Traces::Calls);
  std::size_t size() const override { return values_paths_.size(); }
  LoadedPair load(std::size_t number) override;

 private:
  std::vector<std::string> values_paths_;
  Project& project_;
  const OutputTree& tree_;
  Traces traces_;
};

// One of two projects that are rendered: the repository as it is, as it was in some revision.
struct RenderedSide {
  Project& project;
  const OutputTree& tree;  // that earlier generations are taken from
  std::vector<std::string> values_paths;
};

// Values files are matched by path, then by name, then by the name of the cluster that they state. A cluster whose
// inputs are the same on both sides is not rendered.
class RenderPairs final : public PairSource {
 public:
  RenderPairs(RenderedSide before, RenderedSide after, Traces traces = Traces::Calls);
  std::size_t size() const override { return pairs_.size(); }
  LoadedPair load(std::size_t number) override;

 private:
  struct Pair {
    std::string before, after;  // values files; empty: there is none
  };
  using NameOf = std::string(const std::string& values_path, const RenderedSide&);
  void pair_moved(std::map<std::string, Pair>& by_path, NameOf* name_of);

  RenderedSide before_, after_;
  Traces traces_;
  std::vector<Pair> pairs_;
  SameInputs same_inputs_;
};

// What a values file of the side after makes.
struct MadeCluster {
  std::string name, values_path;  // the name may be empty where it can't be read
};

struct FleetResult {
  std::vector<ClusterRecord> clusters;  // those that differ, by name; see CompareOptions::keeps_records
  std::size_t compared = 0, failed_pairs = 0;
  std::size_t ignored = 0;  // changes
  std::vector<FailedSide> failed;
  std::vector<Sink> faults;
  std::vector<MadeCluster> made;  // by the order of pairs; nothing of folders

  bool failed_somewhere() const;
  // Beside clusters that can't be rendered as they were before.
  bool fails_now() const;
  // Clusters that `failed` is about, by name; the path of the values file where they have none.
  std::vector<std::string> not_compared() const;
};

// Called for every cluster that was compared, and every one that is the same (then without sides, and with an empty
// diff), in no order and on several threads.
using Visit = std::function<void(std::size_t number, const ClusterDiff&, const LoadedPair&)>;

FleetResult compare_fleet(PairSource& pairs, const CompareOptions& options, unsigned jobs, const Visit& visit = {});

}  // namespace capwright::diff
