// Values are immutable, so a change copies the containers on the way to it.
#include "migrate/field_path.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "base/check.h"

namespace capwright::migrate {
namespace {

using Steps = std::vector<std::string>;

// The child that a step leads to; null if there is none.
const Value* child(const Value& value, std::string_view step) {
  if (!is_item(step)) return value.find(step);
  const std::size_t number = item_number(step);
  return value.is(Kind::List) && number < value.items().size() ? &value.items()[number] : nullptr;
}

void collect(const Value& value, const FieldPath& pattern, FieldPath& way, std::vector<FieldPath>& found) {
  if (way.size() == pattern.size()) {
    found.push_back(way);
    return;
  }
  const std::string& step = pattern[way.size()];
  const bool is_each = step == "[]";
  if (is_each && !value.is(Kind::List)) return;
  for (std::size_t i = 0; i < (is_each ? value.items().size() : 1); ++i) {
    way.push_back(is_each ? "[" + std::to_string(i) + "]" : step);
    const Value* next = child(value, way.back());
    if (next != nullptr) collect(*next, pattern, way, found);
    way.pop_back();
  }
}

// Replaces the value at `path`, from step `at` on, by the result of `change`.
using Change = std::function<std::optional<Value>(const Value*)>;

Value changed_map(const Value& map, const std::string& key, const std::optional<Value>& value, Arena& arena) {
  std::vector<Entry> entries;
  if (map.is(Kind::Map)) entries.assign(map.entries().begin(), map.entries().end());
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& each) { return each.key.text() == key; });
  if (entry == entries.end() && value) entries.push_back({make_key(arena, key), *value});
  else if (entry != entries.end() && value) entry->value = *value;
  else if (entry != entries.end()) entries.erase(entry);
  return make_map(arena, entries).with_origin(map.origin());
}

Value changed(const Value* value, const FieldPath& path, std::size_t at, const Change& change, Arena& arena) {
  const std::string& step = path[at];
  const Value* old = value == nullptr ? nullptr : child(*value, step);
  const std::optional<Value> now =
      at + 1 == path.size() ? change(old) : std::optional(changed(old, path, at + 1, change, arena));
  if (!is_item(step)) return changed_map(value == nullptr ? Value::null() : *value, step, now, arena);
  std::vector<Value> items;
  if (value != nullptr && value->is(Kind::List)) items.assign(value->items().begin(), value->items().end());
  const std::size_t number = item_number(step);
  CW_CHECK(now && number <= items.size(), "an item is replaced, or added at the end");
  if (number == items.size()) items.push_back(*now);
  else items[number] = *now;
  const Value list = make_list(arena, items);
  return value == nullptr ? list : list.with_origin(value->origin());
}

}  // namespace

FieldPath read_path(std::string_view text) {
  FieldPath path;
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    const std::size_t end = text.front() == '[' ? text.find(']') + 1 : std::min(text.find_first_of(".["), text.size());
    CW_CHECK(end != 0, "a path of a catalogue is well-formed");
    path.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return path;
}

std::string shown(const FieldPath& path) {
  std::string text;
  for (const std::string& step : path) text += (text.empty() || is_item(step) ? "" : ".") + step;
  return text;
}

bool is_item(std::string_view step) { return step.size() > 2 && step.front() == '[' && step.back() == ']'; }

std::size_t item_number(std::string_view step) {
  std::size_t number = 0;
  std::from_chars(step.data() + 1, step.data() + step.size() - 1, number);
  return number;
}

const Value* value_at(const Value& object, const FieldPath& path) {
  const Value* value = &object;
  for (const std::string& step : path) {
    value = child(*value, step);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::vector<FieldPath> matches(const Value& object, const FieldPath& pattern) {
  std::vector<FieldPath> found;
  FieldPath way;
  collect(object, pattern, way, found);
  return found;
}

FieldPath filled(FieldPath pattern, const FieldPath& concrete) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == "[]") pattern[i] = concrete[i];
  }
  return pattern;
}

FieldPath parent(FieldPath path) {
  path.pop_back();
  return path;
}

std::size_t common_steps(const FieldPath& a, const FieldPath& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

Value with_value(const Value& object, const FieldPath& path, const Value& value, Arena& arena) {
  return changed(
      &object, path, 0, [&](const Value*) { return std::optional(value); }, arena);
}

Value with_key(const Value& object, const FieldPath& path, std::string_view key, Arena& arena) {
  const Value* map = value_at(object, parent(path));
  std::vector<Entry> entries(map->entries().begin(), map->entries().end());
  for (Entry& entry : entries) {
    if (entry.key.text() == path.back()) entry.key = make_key(arena, key).with_origin(entry.key.origin());
  }
  const Value renamed = make_map(arena, entries).with_origin(map->origin());
  return path.size() == 1 ? renamed : with_value(object, parent(path), renamed, arena);
}

Value without_value(const Value& object, const FieldPath& path, Arena& arena) {
  return changed(
      &object, path, 0, [](const Value*) { return std::optional<Value>(); }, arena);
}

FieldPath emptied(const Value& object, FieldPath path, std::size_t keep) {
  while (path.size() > keep + 1) {
    const FieldPath above = parent(path);
    const Value* map = value_at(object, above);
    const bool is_frame = is_item(above.back()) || above.back() == "spec" || above.back() == "template";
    if (is_frame || map == nullptr || !map->is(Kind::Map) || map->entries().size() != 1) break;
    path = above;
  }
  return path;
}

}  // namespace capwright::migrate
