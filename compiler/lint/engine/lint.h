// The entry points of linting: run rules and server checks, apply suppressions, and map places to the files that users
// edit, in this order.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "lint/engine/change_rule.h"
#include "lint/engine/claims.h"
#include "lint/engine/fleet_keys.h"
#include "lint/engine/linter.h"
#include "lint/engine/present.h"
#include "lint/model/command_output.h"

namespace capwright::lint {

// The data of a cluster for rules about the fleet, so that the cluster itself need not stay in memory.
struct FleetNotes {
  const TemplateSet* set = nullptr;
  FleetKeys keys;
  std::vector<KeptClaim> claims, comments;
  std::vector<Denial> denials, used_comments;
};

// Adds the findings of a cluster to its sink. Thread-safe for different clusters.
FleetNotes lint_cluster(const Linter& linter, Cluster& cluster, Blame blame);

// The same for one document of a stream (Context::is_stream), including findings about its comments.
void lint_document(const Linter& linter, Cluster& document, Blame blame);

// Problems that only show across clusters: keeps notes of all clusters, and loads those whose keys match.
class FleetLint {
 public:
  // Keeps a reference to `linter`.
  FleetLint(const Linter& linter, Blame blame) : linter_(linter), blame_(blame) {}

  // `number` sets the order of clusters. They may be added in any order, by several threads.
  void add(std::size_t number, FleetNotes notes);
  // The numbers of the clusters that finish() needs, in order. Call it after all have been added.
  std::vector<std::size_t> wanted();
  // `fleet`: the wanted clusters, linted, in order.
  void finish(const Fleet& fleet, KeptFindings& findings);

 private:
  void judge(const std::vector<Finding>& found, KeptFindings& findings);

  const Linter& linter_;
  Blame blame_;
  std::mutex lock_;
  KeysOfFleet keys_;
  std::set<std::size_t> alone_;
  std::map<const TemplateSet*, std::size_t> sets_;  // with the first cluster of each
  Claims claims_, comments_;
};

// All of it for clusters in memory.
void lint_fleet(const Linter& linter, std::span<Cluster* const> clusters, Blame blame, KeptFindings& findings);

// Both sides of a ClusterChange.
struct Sides {
  Cluster* before = nullptr;  // null: a new cluster
  Cluster* after = nullptr;   // null: a deleted cluster
  const crd::Admission* admission = nullptr;
};
// Adds the findings about a change of one cluster. Redacts the secrets of both sides.
void lint_change(const Sides& sides, const Selection& selection, Blame blame, KeptFindings& findings);

// The text of a manifest.
struct Manifest {
  std::string path;
  std::string text;
  TargetKind target_kind = TargetKind::Found;
  bool has_siblings = false;  // its folder has manifests that this run doesn't read
};

// The manifests of one cluster, sorted by path.
struct ManifestGroup {
  std::string name;  // empty: their paths contain no cluster name
  std::vector<Manifest> manifests;
  std::optional<CommandOutput> output = {};  // of the command that printed them; empty: files
};

// Groups manifests that aren't rendered in this run by the cluster in their path (`clusters/<name>/…`). Others form one
// group without a name, which comes first.
std::vector<ManifestGroup> group_manifests(std::vector<Manifest> manifests);
// Copies nothing: the group must outlive the cluster and its kept findings.
std::unique_ptr<Cluster> read_group(const ManifestGroup& group, const Context& context);
std::unique_ptr<Cluster> read_group(ManifestGroup&&, const Context&) = delete;

}  // namespace capwright::lint
