// Formats the effects of a change on a fleet for people and programs. docs/plan.md describes the formats.
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/groups.h"
#include "report/finding.h"
#include "report/json_stream.h"

namespace capwright::report {

// The plan of one run: `clusters` has the affected clusters, by name.
struct FleetPlan {
  diff::Records<plan::ClusterPlan> clusters;
  std::size_t compared = 0;                    // clusters that were compared
  std::size_t failed = 0;                      // clusters of which a side can't be read or rendered
  plan::MachineCount machines = {};            // of all clusters, before the change
  std::string before, after;                   // names of the sides: "the tree", "HEAD~1"
  std::vector<std::string> broken = {};        // violated gates
  std::span<const Finding> findings = {};      // findings of the rules of changes
  std::span<const Finding> faults = {};        // why something can't be compared, and other findings
  std::vector<std::string> not_compared = {};  // the names of clusters of `failed`, as far as they have names
  // Folders of `clusters/` that aren't clusters: `compared` leaves them out, `clusters` has those that change.
  std::set<std::string> other_folders = {};
};

struct PlanTextOptions {
  bool verbose = false;  // every name of a cluster, every variant, every reason
  bool color = false;
  bool by_cluster = false;  // grouped by cluster
  bool has_findings = true;
};

// All formats end with a line break.
void write_plan_text(const FleetPlan& plan, const PlanTextOptions& options, const Write& write);
std::string plan_as_text(const FleetPlan& plan, const PlanTextOptions& options);

// JSON, version 1.
void write_plan_json(const FleetPlan& plan, const Write& write);
std::string plan_as_json(const FleetPlan& plan);

// Markdown for a comment on a change, of at most `budget` bytes (0: no limit). The most severe actions come first;
// those that don't fit are counted. `folder`, here and below: as in report/formats.h, for the places of findings.
// `has_help`: with the edits that fix the findings, if all of it fits.
std::string plan_as_markdown(const FleetPlan& plan, std::size_t budget, std::string_view folder, bool has_help = true);

// GitHub workflow commands: an annotation for each finding and for each kind of action that affects machines.
std::string plan_as_github(const FleetPlan& plan, std::string_view folder);

}  // namespace capwright::report
