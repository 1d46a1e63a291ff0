// JSON 6902 patches as kustomize applies them.
#pragma once
#include <optional>
#include <string_view>

#include "patch/object_id.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::patch {

// Applies `operations` (a List) to the object `id`: `add`, `remove`, `replace`, `move`, `copy` and `test`. Empty, after
// a report at the operation, if one of them fails.
std::optional<Value> json_patch(const ObjectId& id, const Value& object, const Value& operations, Stage& stage);

}  // namespace capwright::patch
