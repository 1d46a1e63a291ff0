// Sources of Applications that capwright renders as a plugin of Argo CD.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lint/facts/applications.h"

namespace capwright::lint {

class RepositoryClusters;

// The parameters that `capwright cmp generate` reads, and their fields.
struct PluginParameter {
  std::string_view name, field;
};
inline constexpr std::array<PluginParameter, 4> kPluginParameters{
    {{"cluster", "string"}, {"part", "string"}, {"set", "map"}, {"values", "array"}}};

// Whether the plugin of the source renders values files.
bool renders_values(const ChartSource& source);
// Those of an Application, or of the template of an ApplicationSet, whose plugin is `capwright`.
std::vector<ChartSource> plugin_sources(const Object& application);
// Entries of a source's `plugin.parameters` with that name.
std::vector<Node> plugin_parameters(const ChartSource& source, std::string_view name);
// Whether the plugin of the source, one of plugin_sources(), renders the cluster of a values file: the parameter names
// it, or the `files` of the ApplicationSet may have the file.
bool renders_cluster(const Object& application, const ChartSource& source, const RepositoryClusters& clusters,
                     const std::string& values_file);

}  // namespace capwright::lint
