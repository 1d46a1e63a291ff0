// Linting as commands and tests ask for it: rules and server, suppressions, places that people edit; in that order.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "lint/change.h"
#include "lint/claims.h"
#include "lint/fleet_keys.h"
#include "lint/linter.h"
#include "lint/present.h"

namespace capwright::lint {

// What a cluster leaves for rules about the fleet, so that it need not stay.
struct FleetNotes {
  const TemplateSet* set = nullptr;
  FleetKeys keys;
  std::vector<KeptClaim> claims, comments;
  std::vector<Denial> denials, used_comments;
};

// Adds the findings of a cluster to its sink. Clusters may be linted side by side.
FleetNotes lint_cluster(const Linter& linter, const Cluster& cluster, Blame blame);

// The same for one document of a stream (Context::is_stream), and what is wrong with its comments.
void lint_document(const Linter& linter, const Cluster& document, Blame blame);

// What only shows in all clusters together: of many that are gone, and of those that turn out to concern one another.
class FleetLint {
 public:
  // `linter` is kept.
  FleetLint(const Linter& linter, Blame blame) : linter_(linter), blame_(blame) {}

  // Numbers say the order of clusters; they may be added in any, by several threads.
  void add(std::size_t number, FleetNotes notes);
  // The numbers of those that finish() has to look at, in order. To be asked when all have been added.
  std::vector<std::size_t> wanted();
  // `fleet`: the wanted ones, linted, in order.
  void finish(const Fleet& fleet, KeptFindings& findings);

 private:
  void judge(const std::vector<Finding>& found, KeptFindings& findings);

  const Linter& linter_;
  Blame blame_;
  std::mutex lock_;
  std::vector<FleetKey> keys_;
  std::set<std::size_t> alone_;
  std::map<const TemplateSet*, std::size_t> sets_;  // with the first cluster of each
  Claims claims_, comments_;
};

// All of it for clusters that are at hand.
void lint_fleet(const Linter& linter, const Fleet& fleet, Blame blame, KeptFindings& findings);

// Adds what is wrong with a change of one cluster.
void lint_change(const ClusterChange& change, const Selection& selection, Blame blame, KeptFindings& findings);

// A manifest as it was read.
struct Manifest {
  std::string path;
  std::string text;
  Asked asked = Asked::Found;
  bool has_siblings = false;  // manifests of its folder that this run doesn't look at
};

// Those of one cluster, sorted by path.
struct ManifestGroup {
  std::string name;  // empty: their paths name none
  std::vector<Manifest> manifests;
};

// Manifests that nobody renders here, by the cluster that their path names (`clusters/<name>/…`); others are one group,
// without a name, which comes first.
std::vector<ManifestGroup> group_manifests(std::vector<Manifest> manifests);
// The group must outlive the cluster, and what is kept of its findings: nothing of it is copied.
std::unique_ptr<Cluster> read_group(const ManifestGroup& group, const Context& context);
std::unique_ptr<Cluster> read_group(ManifestGroup&&, const Context&) = delete;

}  // namespace capwright::lint
