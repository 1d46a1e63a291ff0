// Layers of the configuration that don't apply: to no cluster at all, or to one that lacks what they set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/layers.h"

namespace capwright {

// Where layers are, and which there are.
struct LayerPlace {
  FileSystem& fs;
  const Workspace& workspace;
  const Config& config;
  const Limits& limits;
};

// Rules whose `when` none of these values files meets. Reads as many of them as it takes; empty as soon as one can't be
// read. `common` is a request without `values_path`.
std::vector<const LayerRule*> unused_layers(const std::vector<std::string>& values_paths, const LayerRequest& common,
                                            const LayerPlace& place);

// Layers that set `key`, such as `network.node_cidr`, and don't apply to the cluster with these merged values.
std::vector<std::string> layers_left_out_with(std::string_view key, const LayerRequest& request, const Value& values,
                                              const LayerPlace& place);

}  // namespace capwright
