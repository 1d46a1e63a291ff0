// The stages of values: layers, merge, normalize, resolve, defaults, validate, complete, freeze.
#pragma once
#include "pipeline/compile_cluster.h"

namespace capwright {

// Sets `cluster.set`, `.name`, `.values` and `.secrets`. Values stay Null when they have errors.
void load_values(CompiledCluster& cluster, Project&, Stage&);

}  // namespace capwright
