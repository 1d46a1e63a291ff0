// The source map of a rendered cluster: which template text and which values made each byte. docs/source-map.md
// describes the format.
#pragma once
#include <string>

#include "pipeline/compile_cluster.h"

namespace capwright::report {

// JSON, the same bytes for the same render; holds places only, never bytes of a value.
std::string source_map(const CompiledCluster& cluster);

}  // namespace capwright::report
