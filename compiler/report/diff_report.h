// Differences of a fleet, for people and for programs. docs/diff.md describes the forms.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "diff/shapes.h"
#include "report/finding.h"

namespace capwright::report {

// One run: `clusters` has those that differ, by name.
struct FleetDifferences {
  std::span<const diff::ClusterRecord> clusters;
  std::size_t compared = 0;                    // clusters that were compared
  std::size_t failed = 0;                      // clusters that can't be: a side can't be read or rendered
  std::size_t ignored = 0;                     // changes that patterns took out
  std::string before, after;                   // what the sides are: "the tree", "HEAD~1"
  std::string_view unit = "cluster";           // what is counted
  std::span<const Finding> faults = {};        // why something can't be compared, and what else was said beside
  std::vector<std::string> not_compared = {};  // clusters of `failed`, as far as they have names
};

struct DiffTextOptions {
  bool by_cluster = false;
  bool verbose = false;  // every name of a cluster, every variant, what follows from renames, places of makers
};

// Ends with a line break; says it when there are no differences.
std::string diff_as_text(const FleetDifferences& differences, const DiffTextOptions& options);

// JSON, version 1.
std::string diff_as_json(const FleetDifferences& differences);

// Markdown for a comment on a change, in no more than `budget` bytes (0: as long as it gets). The most severe shapes
// come first; what doesn't fit is counted.
std::string diff_as_markdown(const FleetDifferences& differences, std::size_t budget);

}  // namespace capwright::report
