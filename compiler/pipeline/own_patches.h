// Reads the `patches` of a cluster's values.
#pragma once
#include "pipeline/project.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Returns `values` with each of `patches` as data: files that `path` names and texts are read, and one with several
// documents becomes several patches. References aren't resolved. Reports patches without content.
Value read_patches(const Value& values, Project&, Stage&);

}  // namespace capwright
