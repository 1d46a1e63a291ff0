// An Application that names one cluster says nothing about the others, so only ApplicationSets count.
#include "lint/facts/plugin_clusters.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/facts/cluster_applications.h"
#include "lint/facts/plugin_sources.h"

namespace capwright::lint {
bool is_by_plugin(const ArgoCdFolder& argocd, std::string_view cluster_folder) {
  const auto is_it = [](const ArgoCdFolder::Applier& each) {
    return is_printed_set(*each.object) && renders_values(*each.source);
  };
  const auto& all = argocd.appliers();
  return std::any_of(all.begin(), all.end(), is_it) && argocd.appliers_of(cluster_folder).empty();
}

PluginClusters::PluginClusters(const Project& project, std::string tree_in_git)
    : is_used_(project.config().delivery == Delivery::ArgoCd), folder_(project), tree_in_git_(std::move(tree_in_git)) {}

bool PluginClusters::has(std::string_view cluster) const {
  return is_used_ && is_by_plugin(folder_, fmt::format("{}clusters/{}", tree_in_git_, cluster));
}

}  // namespace capwright::lint
