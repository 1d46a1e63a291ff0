// Removes the values that override the templated ones, and adds the add-on if it is missing.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "values/choose_addons.h"

namespace capwright::values {
namespace {

Value without(const Value& map, std::initializer_list<std::string_view> keys, Arena& arena) {
  std::vector<Entry> kept;
  for (const Entry& entry : map.entries()) {
    if (std::find(keys.begin(), keys.end(), entry.key.text()) == keys.end()) kept.push_back(entry);
  }
  return make_map(arena, kept).with_origin(map.origin());
}

// An item of `addons` that isn't in the values; its place is a separate source.
Value item_for(std::string_view id, Stage& stage) {
  const FileId file = stage.sources.add("addons defaults", std::string(id));
  const OriginId origin = stage.origins.input({file, 0, static_cast<std::uint32_t>(id.size())});
  const Entry entry{make_key(stage.arena, "id").with_origin(origin), make_string(stage.arena, id).with_origin(origin)};
  return make_map(stage.arena, {&entry, 1}).with_origin(origin);
}

bool is_implied(std::string_view id, const AddonCatalogue& catalogue) {
  const Addon* addon = catalogue.find(id);
  if (addon == nullptr) return false;
  const auto& clouds = addon->implied_for;
  return std::find(clouds.begin(), clouds.end(), catalogue.provider) != clouds.end();
}

bool has_id(const Value& item, std::string_view id) {
  const Value* own = item.find("id");
  return own != nullptr && own->is(Kind::String) && own->text() == id;
}

}  // namespace

Value with_templated_addon(const Value& values, std::string_view id, const AddonCatalogue& catalogue, Stage& stage) {
  const Value* listed = values.find("addons");
  if (listed != nullptr && !listed->is(Kind::List)) return values;
  std::vector<Value> items;
  bool is_listed = false;
  for (const Value& item : listed != nullptr ? listed->items() : std::span<const Value>()) {
    is_listed = is_listed || has_id(item, id);
    items.push_back(has_id(item, id) ? without(item, {"values", "merge"}, stage.arena) : item);
  }
  if (!is_listed && !is_implied(id, catalogue)) items.push_back(item_for(id, stage));

  std::vector<Entry> entries;
  for (const Entry& entry : values.entries()) {
    const bool raw = entry.key.text() == "addon_values" && entry.value.is(Kind::Map);
    if (raw) entries.push_back({entry.key, without(entry.value, {id}, stage.arena)});
    else if (entry.key.text() != "addons") entries.push_back(entry);
  }
  const OriginId origin = listed != nullptr ? listed->origin() : values.origin();
  entries.push_back({make_key(stage.arena, "addons"), make_list(stage.arena, items).with_origin(origin)});
  return make_map(stage.arena, entries).with_origin(values.origin());
}

}  // namespace capwright::values
