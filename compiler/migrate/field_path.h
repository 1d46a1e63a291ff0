// Paths to fields of objects: `spec.ports[].network` in the data, where `[]` is each item, and the steps to one value.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace capwright::migrate {

// Keys, and `[0]` for an item; in a pattern also `[]` for each item of a list.
using FieldPath = std::vector<std::string>;

// `spec.ports[].network` as steps; `managedSubnets[0].cidr` has a fixed item.
FieldPath read_path(std::string_view text);
// `spec.ports[2].network`.
std::string shown(const FieldPath& path);

bool is_item(std::string_view step);
std::size_t item_number(std::string_view step);

// The value at a path without `[]`; null if there is none.
const Value* value_at(const Value& object, const FieldPath& path);
// The paths that match a pattern and have a value, in the order of the object.
std::vector<FieldPath> matches(const Value& object, const FieldPath& pattern);
// `pattern` with the items that `concrete`, which matches a pattern with the same beginning, has at its `[]`.
FieldPath filled(FieldPath pattern, const FieldPath& concrete);

FieldPath parent(FieldPath path);
// The number of steps that both begin with.
std::size_t common_steps(const FieldPath& a, const FieldPath& b);

// A copy of `object` with a value at a path. Maps on the way are added, and a list with one item for `[0]`.
Value with_value(const Value& object, const FieldPath& path, const Value& value, Arena& arena);
// The same with another key for an entry, at its place. The path leads to the entry.
Value with_key(const Value& object, const FieldPath& path, std::string_view key, Arena& arena);
// A copy without the value at a path, which is an entry of a map.
Value without_value(const Value& object, const FieldPath& path, Arena& arena);
// The entry to remove in order to remove `path`: the highest map around it that has no other entry, below `keep`
// steps, or `path` itself. A `spec` or `template` stays, because most are required.
FieldPath emptied(const Value& object, FieldPath path, std::size_t keep);

}  // namespace capwright::migrate
