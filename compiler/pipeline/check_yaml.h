// Whether what was rendered can still be read: a value printed without quotes may have broken, or bent, the YAML.
#pragma once
#include "pipeline/compile_cluster.h"
#include "rotation/read_manifests.h"

namespace capwright {

// Reads the rendered YAML files and reports what is broken at the value or the template line that made it. Of a plain
// template folder only files are read in which a value has text that could mean something to YAML. The result is what
// was read.
rotation::ReadManifests check_rendered_yaml(CompiledCluster& cluster, Stage&);

}  // namespace capwright
