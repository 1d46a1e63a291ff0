// Moves what imported clusters have in common into a layer that their values files extend.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "workflow/import.h"

namespace capwright::workflow {

// Why `path` can't be a layer of an import; otherwise empty.
std::string layer_fault(Session& session, std::string_view path);

// Takes values that all imported clusters have out of their values files, in `imports` too, and returns the layer at
// `path`. Each cluster is rendered before and after: if a byte of any differs, only keys of the first level move, or
// none. `rules`: ImportedManifests::rules(), which list the keys that stay.
ImportedLayer share_values(Session& session, std::vector<ClusterImport>& imports, const std::string& path,
                           const Value& rules, Arena& arena);

}  // namespace capwright::workflow
