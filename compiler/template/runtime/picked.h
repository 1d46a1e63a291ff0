// Origins of look-ups: `flavors[pool.size]` was made by what `flavors` says, and by `pool.size`.
#pragma once
#include "template/runtime/runtime.h"
#include "value/map_index.h"

namespace capwright::jinja {

// A scalar that a key picked from a map, with the key's origin as well. A key that the map itself named, as in a loop
// over its keys, picks nothing.
inline Value picked(Runtime& runtime, const Value& map, const Value& part, const Value& key) {
  const bool is_scalar = part.kind() >= Kind::Null && part.kind() <= Kind::String;
  if (key.origin() == OriginId::None || !is_scalar || !key.is(Kind::String)) return part;
  const Entry* entry = find_entry(*map.map_rep(), key.text(), key_hash(key));
  if (entry == nullptr || entry->key.origin() == key.origin()) return part;
  return part.with_origin(runtime.stage.origins.combine(part.origin(), key.origin()));
}

}  // namespace capwright::jinja
