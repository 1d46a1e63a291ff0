// Clusters whose objects Argo CD's plugin renders, so that their values files decide what is applied, not their
// folders.
#pragma once
#include <string>
#include <string_view>

#include "lint/facts/argocd_folder.h"

namespace capwright::lint {

// Whether an ApplicationSet of the folder has values files rendered by the plugin, and nothing applies the folder of
// the cluster in the Git working tree, such as `fleet/clusters/a`.
bool is_by_plugin(const ArgoCdFolder& argocd, std::string_view cluster_folder);

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
