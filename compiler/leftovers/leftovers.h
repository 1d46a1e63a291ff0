// Objects of a management cluster that no file of the tree contains any more, and that stay until they are deleted by
// hand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diff/side.h"

namespace capwright::leftovers {

// The order in which leftovers of one cluster are deleted: a health check first, because it replaces machines, and the
// namespace last, because everything in it goes with it.
enum class What : std::uint8_t { Cluster, HealthCheck, Pool, ControlPlane, Object, Template, Credential, Namespace };
// "cluster", "health-check" …, as in machine-readable reports.
std::string_view what_name(What what);

struct Leftover {
  What what = What::Object;
  std::string group, version, kind, space, name;
  std::string cluster;                   // the cluster it belongs to
  std::optional<std::int64_t> machines;  // that run because of it; empty: the input doesn't contain the number
  bool has_tombstone = false;            // the tree lists it for removal
  bool is_registration = false;          // Argo CD needs it to delete the cluster's Applications
  bool is_named_like_folder = false;     // of a Namespace: nothing but its name shows what it is of
};

// The namespace that a report lists it with: that of the object, or the Namespace itself. Empty: neither.
const std::string& block_space(const Leftover& leftover);

// The step before the leftover is deleted, in the words of `plan`, or that Argo CD deletes it; empty: none.
std::string_view note_of(const Leftover& leftover);

// "kubectl delete machinedeployment.cluster.x-k8s.io prod-a-batch -n prod-a"
std::string delete_command(const Leftover& leftover);

struct Findings {
  std::vector<Leftover> leftovers;     // by namespace and cluster, then in the order of What, then by kind and name
  std::size_t objects = 0;             // of kinds that capwright renders, in the input
  std::size_t held = 0;                // of these, in a file of the tree
  std::vector<std::string> untracked;  // `namespace/name` of clusters that nothing connects with this repository
  std::vector<std::string> unproven;   // `Kind namespace/name` of other such objects
};

// The names of the clusters that the repository ever had; called at most once.
using ClustersOfHistory = std::function<std::set<std::string, std::less<>>()>;

// `live`: the objects of the API server; `tree`: the clusters of the repository; both completely loaded. Several
// repositories may share a management cluster, so an object is only reported if the tree has its cluster, the history
// had it, or the tool that applied it applies objects of the tree, too. With `untracked`, all are.
Findings find_leftovers(const diff::Side& live, const std::vector<std::unique_ptr<diff::Side>>& tree,
                        const ClustersOfHistory& history, bool untracked);

// The command that prints the input for find_leftovers(): the kinds of the tree, and the kinds that own machines.
std::string kubectl_command(const std::vector<std::unique_ptr<diff::Side>>& tree);

// A block for each cluster: its leftovers, and the command that deletes them.
std::string as_text(const Findings& findings);

// {"version": 1, …}; docs/leftovers.md describes it.
std::string as_json(const Findings& findings, std::size_t clusters);

}  // namespace capwright::leftovers
