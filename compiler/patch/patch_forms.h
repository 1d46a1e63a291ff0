// The two forms of patches, as kustomize applies them to an object: strategic merge, which merges some lists of
// built-in kinds by keys, and JSON 6902.
#pragma once
#include <optional>
#include <vector>

#include "patch/identity.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::patch {

struct MergeResult {
  bool failed = false;          // reported
  std::optional<Value> object;  // empty: the patch deletes the object
};

// Merges `patch` (a Map) into the object `id`: maps are merged, lists without keys and scalars are replaced, `null`
// deletes, and
// `$patch: delete | replace | merge` says what happens to the map that contains it. The object keeps its `apiVersion`,
// kind, name and namespace. Reports what kustomize rejects, and items that can't be matched by their keys.
MergeResult strategic_merge(const ObjectId& id, const Value& object, const Value& patch, Stage& stage);

// Applies `operations` (a List) to the object `id`: `add`, `remove`, `replace`, `move`, `copy` and `test`. Empty, after
// a report at the operation, if one of them fails.
std::optional<Value> json_patch(const ObjectId& id, const Value& object, const Value& operations, Stage& stage);

// The last input of a value: of one with a `${reference}`, the text that refers. Unknown for a value of a document.
inline Span place_of(const Value& value, const Stage& stage) {
  const std::vector<OriginId> leaves = stage.origins.leaves(value.origin());
  return leaves.empty() ? Span() : stage.origins[leaves.back()].span;
}

}  // namespace capwright::patch
