// Checks that rendered files are valid YAML: a value printed without quotes may have broken or changed it.
#pragma once
#include <vector>

#include "files/file_set.h"
#include "pipeline/yaml_shapes.h"
#include "rotation/read_manifests.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright {

struct CheckedYaml {
  rotation::ReadManifests manifests;  // the parsed files
  std::vector<Span> secrets;          // places of secrets in the texts that were parsed
};

// Parses the rendered YAML files and reports errors at the value or template line that caused them. `known`: parses
// only files with a value whose text may have a meaning in YAML, and those of another shape, to render a plain template
// folder faster; null: parses all. In all manifests, reports texts that Argo CD and Kubernetes clients read differently
// (reader_gaps.h).
CheckedYaml check_rendered_yaml(const FileSet& files, KnownShapes* known, const RenderTrace&, Stage&);

}  // namespace capwright
