// Reads and changes objects by paths of plain keys such as `spec.template.spec`. Values are frozen: a change returns a
// new root that shares everything else.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::admission {

// The value at a path; null if a part of it is absent or isn't a map.
const Value* find(const Value& root, std::string_view path);
// The text there; empty if it is absent or isn't a string.
std::string_view text_at(const Value& root, std::string_view path);
// Of the List or the Map at a path; empty when something else is there.
std::span<const Value> items_at(const Value& root, std::string_view path);
std::span<const Entry> entries_at(const Value& root, std::string_view path);
// Empty for anything but a String.
std::string_view text_of(const Value& value);
// "apps" of "apps/v1"; empty for "v1".
std::string_view group_of(std::string_view api_version);

// Returns `root` with `value` at the path. Creates missing maps above it; changes nothing if a value above isn't a map.
Value with(const Value& root, std::string_view path, const Value& value, Arena&);
// The same for one key of the map at the path; the key may have any characters, as labels do.
Value with_member(const Value& root, std::string_view path, std::string_view key, const Value& value, Arena&);
Value without(const Value& root, std::string_view path, Arena&);

// Values that webhooks, which see Go's structures, can't distinguish from an absent field: null, "", 0, false, an empty
// list, and maps that contain only such values.
bool is_empty(const Value&);
inline bool is_empty(const Value* value) { return value == nullptr || is_empty(*value); }

// How two values are compared: an empty field equals an absent one. With `hollow`, an empty map or list differs from an
// absent one, unless its key is listed: structures that are pointers in Go keep the difference. With `pointers`, "", 0
// and false at the listed keys also differ from absent fields.
struct Sameness {
  const std::vector<std::string>* hollow = nullptr;
  const std::vector<std::string>* pointers = nullptr;
};

// Null pointers are absent values.
bool same(const Value* a, const Value* b, const Sameness& = {});

}  // namespace capwright::admission
