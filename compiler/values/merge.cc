// Merging rebuilds only the maps on the path; everything else is shared with the layers.
#include "values/merge.h"

#include <fmt/format.h>
#include <string>

#include "diag/catalog/layers.h"

namespace capwright::values {
namespace {

// `value` with an origin that records the overridden one.
Value overriding(const Value& value, OriginId previous, Stage& stage) {
  if (previous == OriginId::None) return value;
  const Origin& origin = stage.origins[value.origin()];
  if (origin.kind != Origin::Kind::Input || origin.overrides != OriginId::None) return value;
  return value.with_origin(stage.origins.input(origin.span, previous));
}

std::vector<Entry> copy_of(const Value& map) {
  return map.is(Kind::Map) ? std::vector<Entry>(map.entries().begin(), map.entries().end()) : std::vector<Entry>();
}

Entry* find_entry_of(std::vector<Entry>& entries, std::string_view key) {
  for (Entry& entry : entries) {
    if (entry.key.text() == key) return &entry;
  }
  return nullptr;
}

Value make_map_like(const Value& old, const std::vector<Entry>& entries, Stage& stage) {
  return make_map(stage.arena, entries).with_origin(old.origin());
}

std::string place_text(Span span, const SourceSet& sources) {
  return fmt::format("{}:{}", sources.path(span.file), sources.line_col(span).line);
}

// `key:` with nothing after it is null, too, but rarely meant as a deletion. The dropped text isn't shown: secrets are
// marked in what remains.
void report_empty(const Entry& entry, const Value& dropped, Stage& stage) {
  const Span text = stage.origins[entry.value.origin()].span;
  const bool is_written = text.begin != text.end;
  const bool is_nothing = dropped.is(Kind::Null) || dropped.is_error();
  if (!text.known() || is_written || is_nothing) return;
  stage.sink
      .report(diag::empty_value_drops, stage.origins[entry.key.origin()].span, entry.key.text(),
              kind_name(dropped.kind()))
      .note(fmt::format("set at {}", place_text(stage.origins[dropped.origin()].span, stage.sources)))
      .advise(
          fmt::format("delete this line to keep the layer's value, or write `{}: null` to drop it", entry.key.text()));
}

Value merge(const Value& below, const Value& above, Stage& stage) {
  if (!above.is(Kind::Map)) return overriding(above, below.origin(), stage);
  std::vector<Entry> merged = copy_of(below);
  for (const Entry& entry : above.entries()) {
    // The keys of `above` differ from each other, so only those of `below` count; most of a large map are new.
    const bool is_known = below.is(Kind::Map) && below.find(entry.key.text()) != nullptr;
    Entry* old = is_known ? find_entry_of(merged, entry.key.text()) : nullptr;
    if (entry.value.is(Kind::Null)) {
      if (old == nullptr) continue;
      report_empty(entry, old->value, stage);
      merged.erase(merged.begin() + (old - merged.data()));
    } else if (old == nullptr) {
      // Merging into an absent value drops nulls, which have nothing to delete.
      merged.push_back({entry.key, merge(Value::null(), entry.value, stage)});
    } else {
      if (!entry.value.is(Kind::Map)) old->key = entry.key;
      old->value = merge(old->value, entry.value, stage);
    }
  }
  return make_map_like(above, merged, stage);
}

// `merged` with the items that the layers below have at `key` before those of `layer`.
Value with_joined_list(const Value& merged, std::string_view key, const Value& below, const Value& layer,
                       Stage& stage) {
  const Value* first = below.find(key);
  const Value* second = layer.find(key);
  const bool joins = first != nullptr && second != nullptr && first->is(Kind::List) && second->is(Kind::List);
  if (!joins) return merged;
  std::vector<Value> items(first->items().begin(), first->items().end());
  items.insert(items.end(), second->items().begin(), second->items().end());
  std::vector<Entry> entries = copy_of(merged);
  find_entry_of(entries, key)->value = make_list(stage.arena, items).with_origin(second->origin());
  return make_map_like(merged, entries, stage);
}

std::size_t key_end(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find_first_of(".[", begin);
  return end == std::string_view::npos ? text.size() : end;
}

// Parses "[12]" at `begin`; -1 if it has another form. Sets `end` to the offset after the bracket.
std::int64_t parse_index(std::string_view text, std::size_t begin, std::size_t& end) {
  const std::size_t close = text.find(']', begin);
  if (close == std::string_view::npos || close == begin + 1 || close - begin > 7) return -1;
  std::int64_t index = 0;
  for (const char c : text.substr(begin + 1, close - begin - 1)) {
    if (c < '0' || c > '9') return -1;
    index = index * 10 + (c - '0');
  }
  end = close + 1;
  return index;
}

Value assign_step(const Value& old, std::span<const PathStep> path, std::size_t depth, const Value& value,
                  Stage& stage);

Value assign_key(const Value& old, std::span<const PathStep> path, std::size_t depth, const Value& value,
                 Stage& stage) {
  const std::string_view key = path[depth].key;
  if (!old.is(Kind::Map) && !old.is(Kind::Null)) {
    stage.sink.report(diag::set_through_scalar, stage.origins[value.origin()].span, path_text(path.first(depth)),
                      kind_name(old.kind()), path_text(path));
    return Value::error();
  }
  std::vector<Entry> entries = copy_of(old);
  Entry* entry = find_entry_of(entries, key);
  const bool last = depth + 1 == path.size();
  if (last && value.is(Kind::Null)) {
    if (entry != nullptr) entries.erase(entries.begin() + (entry - entries.data()));
    return make_map_like(old, entries, stage);
  }
  const Value below = entry != nullptr ? entry->value : Value::null();
  const Value made = assign_step(below, path, depth + 1, value, stage);
  if (made.is_error()) return made;
  if (entry != nullptr) entry->value = made;
  else entries.push_back({make_key(stage.arena, key).with_origin(value.origin()), made});
  return make_map_like(old.is(Kind::Null) ? value : old, entries, stage);
}

Value assign_item(const Value& old, std::span<const PathStep> path, std::size_t depth, const Value& value,
                  Stage& stage) {
  const auto index = static_cast<std::size_t>(path[depth].index);
  const bool is_list = old.is(Kind::List);
  const std::size_t size = is_list ? old.items().size() : 0;
  if ((!is_list && !old.is(Kind::Null)) || index > size) {
    stage.sink.report(diag::set_past_end, stage.origins[value.origin()].span, path_text(path.first(depth)),
                      is_list ? fmt::format("has {} items", size) : fmt::format("is a {}", kind_name(old.kind())),
                      path_text(path));
    return Value::error();
  }
  std::vector<Value> items;
  if (is_list) items.assign(old.items().begin(), old.items().end());
  if (index == size) items.push_back(Value::null());
  const Value made = assign_step(items[index], path, depth + 1, value, stage);
  if (made.is_error()) return made;
  items[index] = made;
  return make_list(stage.arena, items).with_origin(is_list ? old.origin() : value.origin());
}

Value assign_step(const Value& old, std::span<const PathStep> path, std::size_t depth, const Value& value,
                  Stage& stage) {
  if (depth == path.size()) return overriding(value, old.origin(), stage);
  return path[depth].is_index() ? assign_item(old, path, depth, value, stage)
                                : assign_key(old, path, depth, value, stage);
}

}  // namespace

bool can_merge(const Value& layer, Stage& stage) {
  if (layer.is_error() || layer.is(Kind::Null)) return false;
  if (layer.is(Kind::Map)) return true;
  Diagnostic& diagnostic =
      stage.sink.report(diag::layer_is_no_map, stage.origins[layer.origin()].span, kind_name(layer.kind()));
  if (layer.is(Kind::String) && layer.text().starts_with("$ANSIBLE_VAULT;")) {
    diagnostic.note("`ansible-vault` encrypted the file, and capwright can't decrypt it")
        .advise("decrypt it, and encrypt it with `sops` as a layer, or pass it with `--values` (docs/secrets.md)");
  } else {
    diagnostic.advise("write `key: value` lines");
  }
  return false;
}

Value merge_layers(std::span<const Value> layers, Stage& stage, std::span<const std::string_view> growing) {
  Value merged = make_map(stage.arena, {});
  for (const Value& layer : layers) {
    if (!can_merge(layer, stage)) continue;
    const Value below = merged;
    merged = merge(below, layer, stage);
    for (const std::string_view key : growing) merged = with_joined_list(merged, key, below, layer, stage);
  }
  return merged;
}

std::vector<PathStep> parse_path(std::string_view text, Span where, Stage& stage) {
  std::vector<PathStep> path;
  std::size_t at = 0;
  const auto malformed = [&] {
    stage.sink.report(diag::malformed_path, where, text).advise("write it like `network.pod_cidrs[0]`");
    return std::vector<PathStep>();
  };
  while (at < text.size()) {
    PathStep step;
    if (text[at] == '[' && !path.empty()) {
      step.index = parse_index(text, at, at);
      if (step.index < 0) return malformed();
    } else {
      if (!path.empty() && text[at++] != '.') return malformed();
      const bool quoted = at < text.size() && text[at] == '"';
      const std::size_t begin = quoted ? at + 1 : at;
      const std::size_t end = quoted ? text.find('"', begin) : key_end(text, begin);
      if (end == std::string_view::npos || end == begin) return malformed();
      step.key = text.substr(begin, end - begin);
      at = quoted ? end + 1 : end;
    }
    path.push_back(step);
  }
  return path.empty() ? malformed() : path;
}

Value assign(Value values, std::span<const PathStep> path, Value value, Stage& stage) {
  const Value made = assign_step(values, path, 0, value, stage);
  return made.is_error() ? values : made;
}

std::string path_text(std::span<const PathStep> path) {
  std::string text;
  for (const PathStep& step : path) {
    if (step.is_index()) {
      text += fmt::format("[{}]", step.index);
    } else {
      if (!text.empty()) text += '.';
      text += step.key.find_first_of(".[\"") == std::string_view::npos ? std::string(step.key)
                                                                       : fmt::format("\"{}\"", step.key);
    }
  }
  return text;
}

}  // namespace capwright::values
