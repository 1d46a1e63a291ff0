// Layers in a folder of clusters' values files, which would be rendered as clusters.
#pragma once
#include <string>

#include "pipeline/project.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Whether the values file is a layer by `layers` of capwright.yaml, which is reported.
bool is_configured_layer(const std::string& values_path, Project&, Stage&);

// Whether another values file extends this one, which is reported. For a file without `cluster_name`: a cluster that
// states its name may be extended.
bool is_extended_layer(const std::string& values_path, Project&, Stage&);

// Reports `extends` in `layer`, a document of a plain template folder, if it names a file of the repository: it has no
// effect there.
void report_unread_extends(const Value& layer, Project&, Stage&);

}  // namespace capwright
