// Many clusters: compiled side by side, each written (or compared) as soon as it is done, reported in order.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "files/write.h"
#include "pipeline/compile_cluster.h"

namespace capwright {

struct ClusterOutcome;

struct FleetOptions {
  enum class Task : std::uint8_t { Compile, Check, Write };
  Task task = Task::Compile;
  OutputTree* tree = nullptr;  // open; Compile only looks at what an earlier render left
  bool force = false;
  bool all_or_nothing = false;  // write only when every cluster is clean
  DiffOptions diff;             // of Task::Check
  bool keep = false;            // keep compiled clusters, to print or map their files
  unsigned jobs = 0;
  // Called with the number and outcome of each cluster as soon as it is done, on its thread. May take what it wants.
  std::function<void(std::size_t, ClusterOutcome&)> visit;
};

// What became of one cluster, in the order of the request.
struct ClusterOutcome {
  std::string values_path;
  std::string name;
  bool clean = false;                        // compiled without errors
  WriteResult write;                         // Task::Write
  std::vector<TreeDifference> differences;   // Task::Check
  std::unique_ptr<CompiledCluster> cluster;  // kept when it has findings, or when asked for
};

// Two files that make a cluster of the same name get a finding, and nothing of that name is written or checked,
// whatever else is wrong with them.
// Task::Write does not render a cluster whose tree is up to date by its index, unless `force` or `keep` asks for it.
std::vector<ClusterOutcome> compile_fleet(const std::vector<std::string>& values_paths, Project&, const FleetOptions&);

}  // namespace capwright
