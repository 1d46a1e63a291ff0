// The environment of a run: what rules know besides the objects of a cluster.
#pragma once
#include <string>
#include <vector>

#include "crd/registry.h"
#include "pipeline/config.h"
#include "value/limits.h"
#include "value/value.h"

namespace capwright::values {
struct AddonCatalogue;
}

namespace capwright::lint {

class ArgoCdFolder;
class KnownReads;
class RepositoryClusters;

// Facts for rules besides the cluster: the same for all clusters of a run, which they outlive.
struct Context {
  Limits limits;
  const crd::Registry* registry = nullptr;  // null: kinds are unknown
  std::string as_of;                        // the date for support periods and suppressions: "2026-08-22"
  std::vector<std::string> externals;       // objects that exist outside of the tree: globs of `Kind/name`
  bool is_whole = true;                     // the run includes all clusters of the repository
  bool is_stream = false;                   // a cluster is one document of a long stream: other objects may exist
  KnownReads* reads = nullptr;              // values that templates read, for all clusters; null: computed for each
  const Value* kubernetes = nullptr;        // kubernetes.yaml with the repository's own entries; null: the built-in one
  bool is_part = false;                     // the input is part of a tree: any object may exist outside of it
  Delivery delivery = Delivery::ArgoCd;     // which tool applies the tree
  const values::AddonCatalogue* addons = nullptr;  // with the repository's own entries; null: the built-in one
  const RepositoryClusters* clusters = nullptr;    // null: the repository's clusters are unknown
  const ArgoCdFolder* argocd = nullptr;            // null: unknown, or Argo CD doesn't apply the tree
  std::string tree_in_git = {};                    // the folder of `clusters/` in the Git working tree: "" or "fleet/"
};

// The date of the catalogue, or of Context::kubernetes if it is set: Context::as_of unless `--as-of` is given.
std::string catalogue_date(const Value* kubernetes = nullptr);

}  // namespace capwright::lint
