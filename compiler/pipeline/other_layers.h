// Configuration layers that don't apply: to any cluster, or to one without the keys that they set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/layers.h"

namespace capwright {

// The location of layers, and their list.
struct LayerPlace {
  FileSystem& fs;
  const Workspace& workspace;
  const Config& config;
  const Limits& limits;
};

// Rules whose `when` matches none of these values files. Stops reading when all rules match; returns an empty list if a
// file can't be read. `common` is a request without `values_path`.
std::vector<const LayerRule*> unused_layers(const std::vector<std::string>& values_paths, const LayerRequest& common,
                                            const LayerPlace& place);

// Layers that set `key`, such as `network.node_cidr`, but don't apply to the cluster with these merged values.
std::vector<std::string> layers_left_out_with(std::string_view key, const LayerRequest& request, const Value& values,
                                              const LayerPlace& place);

}  // namespace capwright
