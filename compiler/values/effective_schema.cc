// Merges by keyword: maps of schemas by name, lists of names as a union; otherwise the template set's schema wins.
#include <algorithm>
#include <string_view>
#include <vector>

#include "values/merge.h"

namespace capwright::values {
namespace {

bool is_one_of(std::string_view keyword, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), keyword) != names.end();
}

Entry* find(std::vector<Entry>& entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key.text() == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<Entry> entries_of(const Value& map) { return {map.entries().begin(), map.entries().end()}; }

Value merge_schema(const Value& a, const Value& b, Arena& arena);

Value merge_named(const Value& a, const Value& b, Arena& arena) {
  std::vector<Entry> merged = entries_of(a);
  for (const Entry& entry : b.entries()) {
    Entry* old = find(merged, entry.key.text());
    if (old == nullptr) merged.push_back(entry);
    else old->value = merge_schema(old->value, entry.value, arena);
  }
  return make_map(arena, merged).with_origin(b.origin());
}

Value join_lists(const Value& a, const Value& b, Arena& arena) {
  std::vector<Value> items(a.items().begin(), a.items().end());
  for (const Value& item : b.items()) {
    const bool known = std::any_of(items.begin(), items.end(), [&](const Value& old) { return json_equal(old, item); });
    if (!known) items.push_back(item);
  }
  return make_list(arena, items).with_origin(b.origin());
}

Value merge_keyword(std::string_view keyword, const Value& a, const Value& b, Arena& arena) {
  const bool maps = a.is(Kind::Map) && b.is(Kind::Map);
  if (is_one_of(keyword, {"properties", "patternProperties", "$defs", "dependentSchemas"}) && maps) {
    return merge_named(a, b, arena);
  }
  if (is_one_of(keyword, {"required", "allOf"}) && a.is(Kind::List) && b.is(Kind::List)) return join_lists(a, b, arena);
  if (is_one_of(keyword, {"default", "const", "enum", "examples"})) return b;
  return maps ? merge_schema(a, b, arena) : b;
}

Value merge_schema(const Value& a, const Value& b, Arena& arena) {
  if (!a.is(Kind::Map) || !b.is(Kind::Map)) return b;
  std::vector<Entry> merged = entries_of(a);
  for (const Entry& entry : b.entries()) {
    Entry* old = find(merged, entry.key.text());
    if (old == nullptr) merged.push_back(entry);
    else old->value = merge_keyword(entry.key.text(), old->value, entry.value, arena);
  }
  return make_map(arena, merged).with_origin(b.origin());
}

}  // namespace

Value merge_schemas(const Value& common, const Value& set, Arena& arena) {
  std::vector<Entry> merged = entries_of(merge_schema(common, set, arena));
  // The `$id` of a part would make `$ref: "#/$defs/…"` refer to the part instead of the merged document.
  std::erase_if(merged, [](const Entry& entry) { return entry.key.text() == "$id"; });
  return make_map(arena, merged).with_origin(common.origin());
}

}  // namespace capwright::values
