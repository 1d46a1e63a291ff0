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
#include "lint/engine/fleet_record.h"
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

  // For a run of a part of the fleet: what another run needs to compare its clusters with those of other parts. Call
  // begin_records() after all clusters have been added.
  void begin_records();
  FleetRecord record(std::size_t number) const;
  const std::vector<Denial>& denials() { return claims_.denials(); }
  const std::vector<Denial>& used_comments() { return comments_.denials(); }

  // For the run that compares parts: adds clusters by their records instead of linting all of them.
  void add(std::size_t number, const FleetRecord& record);
  void deny(const std::vector<Denial>& claims, const std::vector<Denial>& comments);
  // After all records: the clusters to lint, in order, for complete(). wanted() returns some of these.
  std::vector<std::size_t> needed();
  // Whether finish() may need the cluster, and not only its notes. Valid after needed().
  bool may_want(std::size_t number) const {
    return alone_.contains(number) || firsts_of_sets_.contains(number) || meeting_->contains(number);
  }
  void complete(std::size_t number, FleetNotes notes);

 private:
  void add_set(std::size_t number, const TemplateSet* set);
  void judge(const std::vector<Finding>& found, KeptFindings& findings);

  const Linter& linter_;
  Blame blame_;
  std::mutex lock_;
  KeysOfFleet keys_;
  std::optional<std::set<std::size_t>> meeting_;  // clusters with a key that another one has, once they are known
  std::set<std::size_t> alone_;
  std::set<std::size_t> firsts_of_sets_;  // of records, one or more for each set
  std::map<std::size_t, std::vector<NotedClaim>> noted_claims_, noted_comments_;  // for record()
  std::map<const TemplateSet*, std::size_t> sets_;                                // with the first cluster of each
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
