// Clusters whose objects Argo CD's plugin renders, so that their values files decide what is applied, not their
// folders.
#pragma once
#include <string>
#include <string_view>

#include "lint/facts/argocd_folder.h"

namespace capwright::lint {

// By the ApplicationSets in the folder `argocd/` of a project, which outlives this. Thread-safe.
class PluginClusters {
 public:
  // `tree_in_git`: the output folder in the Git working tree, "" or "fleet/out/".
  PluginClusters(const Project& project, std::string tree_in_git);

  // Whether an ApplicationSet has values files rendered by the plugin, and nothing applies `clusters/<cluster>`.
  bool has(std::string_view cluster) const;

 private:
  const bool is_used_;  // Argo CD applies the objects
  const ArgoCdFolder folder_;
  const std::string tree_in_git_;
};

}  // namespace capwright::lint
