// The source map of a rendered cluster: the template text and the values that made each byte. docs/source-map.md
// describes the format.
#pragma once
#include <string>

#include "pipeline/cluster.h"

namespace capwright::report {

// JSON, deterministic; contains only places, never bytes of a value.
std::string source_map(const CompiledCluster& cluster);

}  // namespace capwright::report
