// Sources of Applications that capwright renders as a plugin of Argo CD.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "lint/facts/applications.h"

namespace capwright::lint {

// The parameters that `capwright cmp generate` reads, and their fields.
struct PluginParameter {
  std::string_view name, field;
};
inline constexpr std::array<PluginParameter, 4> kPluginParameters{
    {{"cluster", "string"}, {"part", "string"}, {"set", "map"}, {"values", "array"}}};

// Those of an Application, or of the template of an ApplicationSet, whose plugin is `capwright`.
std::vector<ChartSource> plugin_sources(const Object& application);
// Entries of a source's `plugin.parameters` with that name.
std::vector<Node> plugin_parameters(const ChartSource& source, std::string_view name);

}  // namespace capwright::lint
