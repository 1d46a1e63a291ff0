// `template.outputs` of capwright.yaml.
#pragma once
#include "pipeline/config.h"

namespace capwright {

// Reads the patterns of the section `template`. Reports those that are invalid, that clash with another one, or that reach
// files which capwright reads; `config` names these. Then there are no outputs.
Outputs read_outputs(FileSystem& fs, const Workspace& workspace, const Value& section, const Config& config,
                     Stage& stage);

}  // namespace capwright
