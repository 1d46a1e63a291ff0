// What a change does to a fleet, for people and for programs. docs/plan.md describes the forms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/fleet.h"
#include "report/finding.h"

namespace capwright::report {

// One run: `clusters` has those to which something happens, by name.
struct FleetPlan {
  std::span<const plan::ClusterPlan> clusters;
  std::size_t compared = 0;                    // clusters that were compared
  std::size_t failed = 0;                      // clusters that can't be: a side can't be read or rendered
  plan::MachineCount machines = {};            // of all clusters, before
  std::string before, after;                   // what the sides are: "the tree", "HEAD~1"
  std::vector<std::string> broken = {};        // what was asked for and doesn't hold
  std::span<const Finding> findings = {};      // what the rules of changes say
  std::span<const Finding> faults = {};        // why something can't be compared, and what else was said beside
  std::vector<std::string> not_compared = {};  // clusters of `failed`, as far as they have names
};

struct PlanTextOptions {
  bool verbose = false;  // every name of a cluster, every way, every reason
  bool color = false;
  bool by_cluster = false;  // one cluster after the other
};

// Ends with a line break, as all of them.
std::string plan_as_text(const FleetPlan& plan, const PlanTextOptions& options);

// JSON, version 1.
std::string plan_as_json(const FleetPlan& plan);

// Markdown for a comment on a change, in no more than `budget` bytes (0: as long as it gets). The most severe comes
// first; what doesn't fit is counted.
std::string plan_as_markdown(const FleetPlan& plan, std::size_t budget);

// Commands of GitHub's workflows: an annotation for each finding and for each kind of action that machines feel.
std::string plan_as_github(const FleetPlan& plan);

}  // namespace capwright::report
