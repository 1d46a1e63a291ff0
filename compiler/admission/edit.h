// Reading and changing objects by paths of plain keys such as `spec.template.spec`. Values are frozen: a change gives a
// new root that shares everything else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::admission {

// The value at a path; null when a part of it is absent or no map.
const Value* find(const Value& root, std::string_view path);
// The text there; empty when it is absent or no string.
std::string_view text_at(const Value& root, std::string_view path);

// `root` with `value` at the path. Maps above it are made; nothing changes where something above is there and no map.
Value with(const Value& root, std::string_view path, const Value& value, Arena&);
// The same for one key of the map at the path, whatever the key holds: a label.
Value with_member(const Value& root, std::string_view path, std::string_view key, const Value& value, Arena&);
Value without(const Value& root, std::string_view path, Arena&);

// What webhooks, which see Go's structures, can't tell from a field that is absent: null, "", 0, false, an empty list,
// and maps of nothing else.
bool is_empty(const Value&);
inline bool is_empty(const Value* value) { return value == nullptr || is_empty(*value); }

// How two values are compared: an empty field is as good as none. With `hollow`, a map or list without entries is
// something, unless its key is listed: structures that are pointers there are told from absent ones. With `pointers`,
// so are "", 0 and false at the keys that it lists.
struct Sameness {
  const std::vector<std::string>* hollow = nullptr;
  const std::vector<std::string>* pointers = nullptr;
};

// Null pointers are absent values.
bool same(const Value* a, const Value* b, const Sameness& = {});

}  // namespace capwright::admission
