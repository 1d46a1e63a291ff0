// Strategic merge patches as kustomize applies them to objects without an OpenAPI schema, which custom resources are.
#pragma once
#include <optional>

#include "patch/object_id.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::patch {

struct MergeResult {
  bool failed = false;          // reported
  std::optional<Value> object;  // empty: the patch deletes the object
};

// Merges `patch` (a Map) into the object `id`: maps are merged, lists and scalars are replaced, `null` deletes, and
// `$patch: delete | replace | merge` says what happens to the map that contains it. The object keeps its `apiVersion`,
// kind, name and namespace. Reports what kustomize rejects, and lists of a built-in kind, which Kubernetes may merge by
// a key.
MergeResult strategic_merge(const ObjectId& id, const Value& object, const Value& patch, Stage& stage);

}  // namespace capwright::patch
