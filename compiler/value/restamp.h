// Values that were read once for all clusters (catalogue, shared layers), made to belong to one cluster's Stage.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// A copy of `value`'s tree (strings are shared) whose origins, found in `from`, are Input origins of `stage` at the
// same spans. `from`'s sources must be attached to the stage's.
Value restamp(const Value& value, const OriginTable& from, Stage& stage);

}  // namespace capwright
