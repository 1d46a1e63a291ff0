// Compiles many clusters in parallel; writes (or compares) each as soon as it is done, and reports them in order.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "files/output_tree.h"
#include "pipeline/cluster.h"
#include "pipeline/parallel.h"
#include "pipeline/project.h"

namespace capwright {

struct ClusterOutcome;

struct FleetOptions {
  enum class Task : std::uint8_t { Compile, Check, Write };
  Task task = Task::Compile;
  OutputTree* tree = nullptr;  // open; Compile only reads the results of an earlier render
  bool force = false;
  bool all_or_nothing = false;  // write only when every cluster is clean
  DiffOptions diff;             // for Task::Check
  bool keep = false;            // keep compiled clusters, for printing or mapping their files
  unsigned jobs = 0;
  // The clusters to compile, by their values files; null: all. The names of the others still have to differ. Outcomes
  // of the others stay empty.
  std::function<bool(const std::string& values_path)> chosen;
  ShownWork shown = {};
  const std::atomic<bool>* stops = nullptr;  // once it is set, no further cluster is compiled, and outcomes lack theirs
  // Called with the index and outcome of each cluster as soon as it is done, on its thread. May move data out.
  std::function<void(std::size_t, ClusterOutcome&)> visit;
};

// The result for one cluster, in the order of the request.
struct ClusterOutcome {
  std::string values_path;
  std::string name;
  bool clean = false;                       // compiled without errors
  WriteResult write;                        // Task::Write
  std::vector<TreeDifference> differences;  // Task::Check
  // Removal entries, with ProjectOptions::forget_removed: those that the tree had, and those that are still needed.
  std::vector<std::string> dropped_entries, kept_entries;
  bool has_lost_entries = false;             // the index listed their file, which was missing
  std::unique_ptr<CompiledCluster> cluster;  // kept if it has findings, or on request
};

// Values files with the same cluster name are reported, and no cluster of that name is written or checked. Task::Write
// skips clusters that are up to date by the index of the tree, unless `force` or `keep` is set.
std::vector<ClusterOutcome> compile_fleet(const std::vector<std::string>& values_paths, Project&, const FleetOptions&);

}  // namespace capwright
