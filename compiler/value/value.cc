// Frozen containers and look-ups. Maps above eight entries have an index; in smaller ones a linear scan of hashes is
// faster.
#include "value/value.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "base/check.h"
#include "value/map_index.h"

namespace capwright {

const Value* Value::find(std::string_view key, std::uint32_t hash) const {
  if (kind_ != Kind::Map) return nullptr;
  const Entry* entry = find_entry(*map_rep(), key, hash);
  return entry == nullptr ? nullptr : &entry->value;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::Error: return "error";
    case Kind::Undefined: return "undefined";
    case Kind::Null: return "null";
    case Kind::Bool: return "boolean";
    case Kind::Int: return "integer";
    case Kind::Float: return "number";
    case Kind::String: return "string";
    case Kind::List: return "list";
    case Kind::Map: return "map";
    case Kind::Object: return "object";
  }
  CW_UNREACHABLE("a Value has no such kind");
}

const Text* make_text_view(Arena& arena, std::string_view bytes) {
  return arena.make<Text>(bytes.data(), static_cast<std::uint32_t>(bytes.size()), 0u, nullptr);
}
const Text* make_text(Arena& arena, std::string_view bytes) { return make_text_view(arena, arena.text(bytes)); }
Value make_string(Arena& arena, std::string_view bytes) { return Value::string(make_text(arena, bytes)); }

Value make_key(Arena& arena, std::string_view bytes) {
  const std::string_view kept = arena.text(bytes);
  return Value::string(
      arena.make<Text>(kept.data(), static_cast<std::uint32_t>(kept.size()), hash_text(bytes), nullptr));
}

Value make_list(Arena& arena, std::span<const Value> items) {
  Value* copied = arena.make_array<Value>(items.size());
  std::uninitialized_copy(items.begin(), items.end(), copied);
  return Value::list(arena.make<List>(copied, static_cast<std::uint32_t>(items.size()), 0u));
}

Value make_map(Arena& arena, std::span<const Entry> entries) {
  Entry* copied = arena.make_array<Entry>(entries.size());
  std::uninitialized_copy(entries.begin(), entries.end(), copied);
  Map* map = arena.make<Map>(copied, static_cast<std::uint32_t>(entries.size()), 0u, nullptr, 0u);
  index_map(*map, arena);
  return Value::map(map);
}

namespace {

// Both have one size, and usually one order.
bool equal_maps(const Value& a, const Value& b) {
  if (a.map_rep() == b.map_rep()) return true;
  const std::span<const Entry> of_a = a.entries(), of_b = b.entries();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Value& key = of_a[i].key;
    const bool is_same_key = key.text() == of_b[i].key.text();
    const Value* other = is_same_key ? &of_b[i].value : b.find(key.text(), key_hash(key));
    if (other == nullptr || !json_equal(of_a[i].value, *other)) return false;
  }
  return true;
}

}  // namespace

bool contains_secret(const Value& value) {
  if (value.tainted()) return true;
  if (value.is(Kind::List)) return std::any_of(value.items().begin(), value.items().end(), contains_secret);
  if (!value.is(Kind::Map)) return false;
  return std::any_of(value.entries().begin(), value.entries().end(),
                     [](const Entry& entry) { return contains_secret(entry.key) || contains_secret(entry.value); });
}

bool json_equal(const Value& a, const Value& b) {
  const auto is_number = [](const Value& v) { return v.is(Kind::Int) || v.is(Kind::Float); };
  if (a.kind() != b.kind()) {
    if (!is_number(a) || !is_number(b)) return false;
    const double x = a.is(Kind::Int) ? static_cast<double>(a.as_int()) : a.as_float();
    const double y = b.is(Kind::Int) ? static_cast<double>(b.as_int()) : b.as_float();
    return x == y;
  }
  switch (a.kind()) {
    case Kind::Bool: return a.as_bool() == b.as_bool();
    case Kind::Int: return a.as_int() == b.as_int();
    case Kind::Float: return a.as_float() == b.as_float();
    case Kind::String: return a.text() == b.text();
    case Kind::List:
      return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(), json_equal);
    case Kind::Map: return a.map_rep()->size == b.map_rep()->size && equal_maps(a, b);
    default: return true;
  }
}

}  // namespace capwright
