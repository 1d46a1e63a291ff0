// Which part of a patch changes a field.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "source/source.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::patch {

struct PlaceInPatch {
  Span where;             // unknown if no part of the patch names the field
  std::size_t steps = 0;  // how much of the path a strategic merge has, too; 0 for JSON 6902
};

// The JSON pointer to the path.
std::string json_pointer(std::span<const std::string> path);

// `path`: the steps to the field, with the numbers of items. `content`: a Map or List, as in `patches`.
PlaceInPatch place_in_patch(const Value& content, std::span<const std::string> path, const Stage& stage);

// Whether the patch writes the list at the path as a whole, alone or with what is around it.
bool writes_list(const Value& content, std::span<const std::string> path);

}  // namespace capwright::patch
