// An Application that names one cluster says nothing about the others, so only ApplicationSets count.
#include "lint/facts/plugin_clusters.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/facts/cluster_applications.h"

namespace capwright::lint {
namespace {

bool renders_values(const ArgoCdFolder::Applier& applier) {
  return is_printed_set(*applier.object) && applier.source->node["plugin.name"].text() == "capwright";
}

}  // namespace

PluginClusters::PluginClusters(const Project& project, std::string tree_in_git)
    : is_used_(project.config().delivery == Delivery::ArgoCd), folder_(project), tree_in_git_(std::move(tree_in_git)) {}

bool PluginClusters::has(std::string_view cluster) const {
  if (!is_used_ || std::none_of(folder_.appliers().begin(), folder_.appliers().end(), renders_values)) return false;
  return folder_.appliers_of(fmt::format("{}clusters/{}", tree_in_git_, cluster)).empty();
}

}  // namespace capwright::lint
