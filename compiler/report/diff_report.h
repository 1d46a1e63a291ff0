// Formats the differences of a fleet for people and programs. docs/diff.md describes the formats.
#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "diff/shapes.h"
#include "report/finding.h"
#include "report/json_stream.h"

namespace capwright::report {

// The differences of one run: `clusters` has the clusters that differ, by name.
struct FleetDifferences {
  diff::Records<diff::ClusterRecord> clusters;
  std::size_t compared = 0;                    // clusters that were compared
  std::size_t failed = 0;                      // clusters of which a side can't be read or rendered
  std::size_t ignored = 0;                     // changes that patterns excluded
  std::string before, after;                   // names of the sides: "the tree", "HEAD~1"
  std::string_view unit = "cluster";           // the counted unit
  std::span<const Finding> faults = {};        // why something can't be compared, and other findings
  std::vector<std::string> not_compared = {};  // the names of clusters of `failed`, as far as they have names
  // Folders of `clusters/` that aren't clusters: `compared` leaves them out, `clusters` has those that differ.
  std::set<std::string> other_folders = {};
};

struct DiffTextOptions {
  bool by_cluster = false;
  bool verbose = false;  // every name of a cluster, every variant, consequences of renames, template and value places
  bool color = false;
};

// Ends with a line break; states if there are no differences.
void write_diff_text(const FleetDifferences& differences, const DiffTextOptions& options, const Write& write);
std::string diff_as_text(const FleetDifferences& differences, const DiffTextOptions& options);

// JSON, version 1.
void write_diff_json(const FleetDifferences& differences, const Write& write);

// Markdown for a comment on a change, of at most `budget` bytes (0: no limit). The most severe shapes come first; those
// that don't fit are counted. `folder`: as in report/formats.h, for the places of findings.
std::string diff_as_markdown(const FleetDifferences& differences, std::size_t budget, std::string_view folder = {});

}  // namespace capwright::report
