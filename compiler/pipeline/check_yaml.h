// Checks that rendered files are valid YAML: a value printed without quotes may have broken or changed it.
#pragma once
#include "pipeline/compile_cluster.h"
#include "rotation/read_manifests.h"

namespace capwright {

// Parses the rendered YAML files and reports errors at the value or template line that caused them. For a plain
// template folder, only parses files with a value whose text may have a meaning in YAML. Returns the parsed files.
rotation::ReadManifests check_rendered_yaml(CompiledCluster& cluster, Stage&);

}  // namespace capwright
