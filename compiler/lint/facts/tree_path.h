// Paths by which Argo CD and Flux name a part of the rendered tree.
#pragma once
#include <optional>
#include <string_view>

namespace capwright::lint {

struct TreePath {
  std::string_view cluster;  // the folder in `clusters/`; empty: `clusters/` itself
  std::string_view rest;     // below that folder: "addons"
};

// What a path from the top of the Git working tree names in the tree, whose folder `tree_in_git` is "" or "fleet/".
// Empty for other paths, and for those that are computed.
std::optional<TreePath> tree_path(std::string_view path, std::string_view tree_in_git);

}  // namespace capwright::lint
