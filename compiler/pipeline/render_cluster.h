// The one call into the template engine.
#pragma once
#include "pipeline/compile_cluster.h"

namespace capwright {

// Renders the set's main template with the cluster's values; empty (and reported) if it fails.
MappedText render_cluster(CompiledCluster&, Stage&, bool trace_control);

}  // namespace capwright
