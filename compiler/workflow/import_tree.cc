// Rebuilds the containers along a path; everything beside it is shared.
#include "workflow/import_tree.h"

#include <algorithm>
#include <charconv>

#include "yaml/write.h"

namespace capwright::workflow {

std::string text_of(const TreePath& path) {
  std::string text;
  for (const Step& step : path) {
    if (step.index >= 0) text += "[" + std::to_string(step.index) + "]";
    else text += (text.empty() ? "" : ".") + step.key;
  }
  return text;
}

TreePath path_of(std::string_view text) {
  TreePath path;
  while (!text.empty()) {
    if (text[0] == '[') {
      const std::size_t close = text.find(']');
      int index = 0;
      std::from_chars(text.data() + 1, text.data() + close, index);
      path.push_back({"", index});
      text.remove_prefix(close + 1);
    } else {
      const std::size_t end = std::min(text.find_first_of(".["), text.size());
      path.push_back({std::string(text.substr(0, end)), -1});
      text.remove_prefix(end);
    }
    if (text.starts_with('.')) text.remove_prefix(1);
  }
  return path;
}

const Value* find_at(const Value& root, const TreePath& path) {
  const Value* value = &root;
  for (const Step& step : path) {
    if (step.index < 0) {
      value = value->find(step.key);
    } else {
      const bool has = value->is(Kind::List) && static_cast<std::size_t>(step.index) < value->items().size();
      value = has ? &value->items()[static_cast<std::size_t>(step.index)] : nullptr;
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

Value with_value(const Value& root, const TreePath& path, const Value& value, Arena& arena, std::size_t from) {
  if (from == path.size()) return value;
  const Step& step = path[from];
  if (step.index >= 0) {
    if (!root.is(Kind::List)) return root;
    std::vector<Value> items(root.items().begin(), root.items().end());
    const auto index = static_cast<std::size_t>(step.index);
    if (index < items.size()) items[index] = with_value(items[index], path, value, arena, from + 1);
    return make_list(arena, items);
  }
  std::vector<Entry> entries;
  if (root.is(Kind::Map)) entries.assign(root.entries().begin(), root.entries().end());
  bool found = false;
  for (Entry& entry : entries) {
    if (entry.key.text() != step.key) continue;
    entry.value = with_value(entry.value, path, value, arena, from + 1);
    found = true;
  }
  if (!found) entries.push_back({make_key(arena, step.key), with_value(Value(), path, value, arena, from + 1)});
  return make_map(arena, entries);
}

Value without(const Value& root, const TreePath& path, Arena& arena, std::size_t from) {
  const Step& step = path[from];
  const bool is_last = from + 1 == path.size();
  if (step.index >= 0) {
    if (!root.is(Kind::List)) return root;
    std::vector<Value> items(root.items().begin(), root.items().end());
    const auto index = static_cast<std::size_t>(step.index);
    if (index >= items.size()) return root;
    if (is_last) items.erase(items.begin() + step.index);
    else items[index] = without(items[index], path, arena, from + 1);
    return make_list(arena, items);
  }
  if (!root.is(Kind::Map)) return root;
  std::vector<Entry> entries;
  for (const Entry& entry : root.entries()) {
    const bool is_step = entry.key.text() == step.key;
    if (!is_step) entries.push_back(entry);
    if (!is_step || is_last) continue;
    const Value below = without(entry.value, path, arena, from + 1);
    if (!below.is(Kind::Map) || !below.entries().empty()) entries.push_back({entry.key, below});
  }
  return make_map(arena, entries).with_origin(root.origin());
}

Value copy_of(const Value& value, Arena& arena, const std::function<std::string(std::string_view)>& edit) {
  if (value.is(Kind::String)) return make_string(arena, edit ? edit(value.text()) : std::string(value.text()));
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(copy_of(item, arena, edit));
    return make_list(arena, items);
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries())
      entries.push_back({make_key(arena, entry.key.text()), copy_of(entry.value, arena, edit)});
    return make_map(arena, entries);
  }
  return value.with_origin(OriginId::None).with_style(ScalarStyle::None);
}

bool is_scalar(const Value& value) { return !value.is(Kind::List) && !value.is(Kind::Map); }

bool has_word(const Value& list, std::string_view word) {
  const auto is_word = [&](const Value& each) { return each.is(Kind::String) && each.text() == word; };
  return list.is(Kind::List) && std::any_of(list.items().begin(), list.items().end(), is_word);
}

std::size_t leaves_of(const Value& value) {
  std::size_t count = 0;
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) count += leaves_of(item);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) count += leaves_of(entry.value);
  }
  return std::max<std::size_t>(count, 1);
}

std::string yaml_of(const Value& value) {
  YamlStyle style;
  style.sort_keys = false;
  style.width = -1;
  style.for_go = true;
  MappedText text;
  static_cast<void>(write_yaml(value, style, Segment(), Limits(), text));
  return text.text();
}

}  // namespace capwright::workflow
