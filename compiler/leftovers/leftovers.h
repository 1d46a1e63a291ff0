// Objects of a management cluster that no file of the tree holds any more, and that stay until they are deleted by
// hand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/side.h"

namespace capwright::leftovers {

// In the order in which leftovers of one cluster are deleted: a health check first, since it replaces machines.
enum class What : std::uint8_t { Cluster, HealthCheck, Pool, ControlPlane, Object, Template, Credential };
// "cluster", "health-check" …, as reports for programs have them.
std::string_view what_name(What what);

struct Leftover {
  What what = What::Object;
  std::string group, version, kind, space, name;
  std::string cluster;                   // that it belongs to
  std::optional<std::int64_t> machines;  // that run because of it; nothing: the input doesn't say
};

// "kubectl delete machinedeployment.cluster.x-k8s.io prod-a-batch -n prod-a"
std::string delete_command(const Leftover& leftover);

struct Findings {
  std::vector<Leftover> leftovers;     // by cluster, then in the order of What, then by kind and name
  std::size_t objects = 0;             // of kinds that capwright renders, in the input
  std::vector<std::string> untracked;  // `namespace/name` of clusters that neither the tree nor a GitOps tool knows
};

// `live`: what the API server has, read whole; `tree`: the clusters of the repository, read whole. With `untracked`
// clusters that carry no mark of Argo CD or Flux count as well.
Findings find_leftovers(const diff::Side& live, const std::vector<std::unique_ptr<diff::Side>>& tree, bool untracked);

// The command that prints what find_leftovers() wants to see: the kinds of the tree, and those that make machines.
std::string kubectl_command(const std::vector<std::unique_ptr<diff::Side>>& tree);

// A block for each cluster: what is left over, and the command that deletes it.
std::string as_text(const Findings& findings);

// {"version": 1, …}; docs/leftovers.md describes it.
std::string as_json(const Findings& findings, std::size_t clusters);

}  // namespace capwright::leftovers
