// Copies values that are read once for all clusters (catalogue, shared layers) into one cluster's Stage.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Copies the tree of `value` (strings are shared). Its origins, found in `from`, become Input origins of `stage` at the
// same spans. The sources of `from` must be attached to those of `stage`.
Value restamp(const Value& value, const OriginTable& from, Stage& stage);

}  // namespace capwright
