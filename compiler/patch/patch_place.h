// Where a part of a patch is written.
#pragma once
#include <vector>

#include "value/stage.h"

namespace capwright::patch {

// The last input of a value: of one with a `${reference}`, the text that refers. Unknown for a value of a document.
inline Span place_of(const Value& value, const Stage& stage) {
  const std::vector<OriginId> leaves = stage.origins.leaves(value.origin());
  return leaves.empty() ? Span() : stage.origins[leaves.back()].span;
}

}  // namespace capwright::patch
