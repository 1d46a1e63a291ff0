// Paths, changes and comparison of objects.
#include "admission/edit.h"

#include <algorithm>
#include <vector>

namespace capwright::admission {
namespace {

// The first step of a path, and the rest without its dot.
std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

Value map_like(const Value& map, std::vector<Entry> entries, Arena& arena) {
  const Value made = make_map(arena, entries);
  return map.is(Kind::Map) ? made.with_origin(map.origin()).with_taint(map.tainted()) : made;
}

bool all_empty(const Value& map) {
  return std::all_of(map.entries().begin(), map.entries().end(), [](const Entry& e) { return is_empty(e.value); });
}

bool lists(const std::vector<std::string>* keys, std::string_view key) {
  return keys != nullptr && std::find(keys->begin(), keys->end(), key) != keys->end();
}

// Whether an empty value at this key differs from an absent one.
bool counts_when_empty(const Value& value, std::string_view key, const Sameness& how) {
  if (value.is(Kind::Null)) return false;
  const bool collection = value.is(Kind::Map) || value.is(Kind::List);
  return collection ? how.hollow != nullptr && !lists(how.hollow, key) : lists(how.pointers, key);
}

// Whether a value is equivalent to an absent one.
bool is_nothing(const Value& value, const Sameness& how) {
  if (!value.is(Kind::Map)) return is_empty(value);
  return std::all_of(value.entries().begin(), value.entries().end(), [&](const Entry& entry) {
    return !counts_when_empty(entry.value, entry.key.text(), how) && is_nothing(entry.value, how);
  });
}

bool same_maps(const Value& a, const Value& b, const Sameness& how) {
  const auto covered = [&](const Value& x, const Value& y) {
    return std::all_of(x.entries().begin(), x.entries().end(), [&](const Entry& entry) {
      const Value* other = y.find(entry.key.text());
      const bool there = other != nullptr && !other->is(Kind::Null);
      if (!there && counts_when_empty(entry.value, entry.key.text(), how)) return false;
      return same(&entry.value, other, how);
    });
  };
  return covered(a, b) && covered(b, a);
}

bool same_lists(const Value& a, const Value& b, const Sameness& how) {
  return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                    [&](const Value& x, const Value& y) { return same(&x, &y, how); });
}

}  // namespace

const Value* find(const Value& root, std::string_view path) {
  const Value* value = &root;
  while (value != nullptr && !path.empty()) {
    const auto [step, rest] = split(path);
    value = value->is(Kind::Map) ? value->find(step) : nullptr;
    path = rest;
  }
  return value;
}

std::string_view text_at(const Value& root, std::string_view path) {
  const Value* value = find(root, path);
  return value != nullptr && value->is(Kind::String) ? value->text() : std::string_view();
}

std::span<const Value> items_at(const Value& root, std::string_view path) {
  const Value* list = find(root, path);
  return list != nullptr && list->is(Kind::List) ? list->items() : std::span<const Value>();
}

std::span<const Entry> entries_at(const Value& root, std::string_view path) {
  const Value* map = find(root, path);
  return map != nullptr && map->is(Kind::Map) ? map->entries() : std::span<const Entry>();
}

std::string_view text_of(const Value& value) { return value.is(Kind::String) ? value.text() : std::string_view(); }

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

Value with(const Value& root, std::string_view path, const Value& value, Arena& arena) {
  if (path.empty()) return value;
  if (!root.is(Kind::Map) && !root.is(Kind::Null)) return root;
  const auto [step, rest] = split(path);
  std::vector<Entry> entries;
  bool found = false;
  if (root.is(Kind::Map)) entries.assign(root.entries().begin(), root.entries().end());
  for (Entry& entry : entries) {
    if (entry.key.text() != step) continue;
    entry.value = with(entry.value, rest, value, arena);
    found = true;
  }
  if (!found) entries.push_back({make_key(arena, step), with(Value(), rest, value, arena)});
  return map_like(root, std::move(entries), arena);
}

Value with_member(const Value& root, std::string_view path, std::string_view key, const Value& value, Arena& arena) {
  const Value* map = find(root, path);
  const bool is_readable = map == nullptr || map->is(Kind::Map) || map->is(Kind::Null);
  if (!is_readable) return root;
  const Value* known = map != nullptr && map->is(Kind::Map) ? map->find(key) : nullptr;
  const bool stays = known != nullptr && (json_equal(*known, value) || known->kind() != value.kind());
  if (stays) return root;
  std::vector<Entry> entries;
  if (map != nullptr && map->is(Kind::Map)) {
    for (const Entry& entry : map->entries()) {
      if (entry.key.text() != key) entries.push_back(entry);
    }
  }
  entries.push_back({make_key(arena, key), value});
  return with(root, path, map_like(map == nullptr ? Value() : *map, std::move(entries), arena), arena);
}

Value without(const Value& root, std::string_view path, Arena& arena) {
  if (find(root, path) == nullptr) return root;
  const auto [step, rest] = split(path);
  std::vector<Entry> entries;
  for (const Entry& entry : root.entries()) {
    if (entry.key.text() != step) entries.push_back(entry);
    else if (!rest.empty()) entries.push_back({entry.key, without(entry.value, rest, arena)});
  }
  return map_like(root, std::move(entries), arena);
}

bool is_empty(const Value& value) {
  switch (value.kind()) {
    case Kind::Null: return true;
    case Kind::Bool: return !value.as_bool();
    case Kind::Int: return value.as_int() == 0;
    case Kind::Float: return value.as_float() == 0;
    case Kind::String: return value.text().empty();
    case Kind::List: return value.items().empty();
    case Kind::Map: return all_empty(value);
    default: return false;
  }
}

bool same(const Value* a, const Value* b, const Sameness& how) {
  const bool maps = a != nullptr && b != nullptr && a->is(Kind::Map) && b->is(Kind::Map);
  if (maps) return same_maps(*a, *b, how);
  const bool no_a = a == nullptr || a->is(Kind::Null), no_b = b == nullptr || b->is(Kind::Null);
  if (no_a || no_b) return (no_a || is_nothing(*a, how)) && (no_b || is_nothing(*b, how));
  if (is_empty(a) || is_empty(b)) return is_empty(a) == is_empty(b);
  if (a->is(Kind::List) && b->is(Kind::List)) return same_lists(*a, *b, how);
  return json_equal(*a, *b);
}

}  // namespace capwright::admission
