// Which lists of built-in kinds a strategic merge patch merges, from schemas/catalogue/merge-keys.yaml.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "patch/identity.h"

namespace capwright::patch {

struct ListMerge {
  bool merges = false;                // otherwise a patch replaces the list
  std::span<const std::string> keys;  // that identify an item; none: the items are scalars
};

// `path`: of the list, with `[]` for the items around it: "spec.template.spec.containers[].env".
ListMerge list_merge_of(const ObjectId& object, std::string_view path);

}  // namespace capwright::patch
