// Values of an unexpected type are kept unchanged: validation reports them in the user's terms.
#include "values/normalize.h"

#include <fmt/format.h>
#include <map>

#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "yaml/replace_scalar.h"

namespace capwright::values {
namespace {

// The entries of a map during a rewrite.
class MapEdit {
 public:
  MapEdit(const Value& map, Stage& stage)
      : map_(map), stage_(stage), entries_(map.entries().begin(), map.entries().end()) {}

  Entry* find(std::string_view key) {
    for (Entry& entry : entries_) {
      if (entry.key.text() == key) return &entry;
    }
    return nullptr;
  }
  void erase(std::string_view key) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.key.text() == key; });
  }
  void set(const Value& key, const Value& value) {
    if (Entry* entry = find(key.text())) entry->value = value;
    else entries_.push_back({key, value});
  }
  std::vector<Entry>& entries() { return entries_; }
  Value done() const { return make_map(stage_.arena, entries_).with_origin(map_.origin()); }

 private:
  const Value& map_;
  Stage& stage_;
  std::vector<Entry> entries_;
};

Span place(const Value& value, const Stage& stage) { return stage.origins[value.origin()].span; }

Value key_at(std::string_view name, const Value& like, Stage& stage) {
  return make_key(stage.arena, name).with_origin(like.origin());
}

// [{name: default, count: N}], with the place of `worker_count`.
Value default_pool(const Value& count, const Value& key, Stage& stage) {
  const Entry entries[] = {
      {key_at("name", key, stage), make_string(stage.arena, "default").with_origin(key.origin())},
      {key_at("count", key, stage), count},
  };
  const Value pool = make_map(stage.arena, entries).with_origin(count.origin());
  return make_list(stage.arena, {&pool, 1}).with_origin(count.origin());
}

void fill_pool_flavors(MapEdit& values, std::vector<Renamed>& renamed, Stage& stage) {
  const Entry* flat = values.find("flavor_worker");
  if (flat == nullptr) return;
  const Entry flavor = *flat;
  values.erase("flavor_worker");
  Entry* pools = values.find("worker_pools");
  if (pools == nullptr || !pools->value.is(Kind::List)) return;
  std::vector<Value> items(pools->value.items().begin(), pools->value.items().end());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is(Kind::Map) || items[i].find("flavor") != nullptr) continue;
    MapEdit pool(items[i], stage);
    pool.set(key_at("flavor", flavor.key, stage), flavor.value);
    items[i] = pool.done();
    renamed.push_back({fmt::format("worker_pools[{}].flavor", i), "flavor_worker"});
  }
  pools->value = make_list(stage.arena, items).with_origin(pools->value.origin());
}

// The id for `name`. An unknown name is reported and replaced by the nearest id, so that later messages don't result
// from the typo; it is dropped if no id is near.
std::string_view resolve_addon(const Value& name, const AddonCatalogue& catalogue, Stage& stage) {
  const Addon* addon = catalogue.find_or_alias(name.text());
  if (addon != nullptr) return addon->id;
  const std::vector<std::string_view> names = catalogue.names();
  Diagnostic& diagnostic = stage.sink.report(diag::unknown_addon, place(name, stage), name.text());
  std::string suggestion = did_you_mean(name.text(), names);
  diagnostic.advise(suggestion.empty() ? "known: " + list_names(names, 40) : suggestion);
  diagnostic.note(
      "for other software, describe it as an add-on in `addons/<id>/addon.yaml` of the repository (docs/addons.md)");
  const std::string_view meant = nearest(name.text(), names);
  if (std::optional<Edit> edit = meant.empty() ? std::nullopt : replace_scalar(name, meant, stage))
    diagnostic.fix = Fix{"write the nearest add-on", Safety::Unsafe, {std::move(*edit)}};
  return meant.empty() ? meant : std::string_view(catalogue.find_or_alias(meant)->id);
}

Value canonical_id(const Value& name, const AddonCatalogue& catalogue, Stage& stage) {
  const std::string_view id = resolve_addon(name, catalogue, stage);
  return (id.empty() ? Value::error() : make_string(stage.arena, id)).with_origin(name.origin());
}

Value canonical_addon(const Value& item, const AddonCatalogue& catalogue, Stage& stage) {
  if (item.is(Kind::String)) {
    const Entry entry{key_at("id", item, stage), canonical_id(item, catalogue, stage)};
    return make_map(stage.arena, {&entry, 1}).with_origin(item.origin());
  }
  const Value* id = item.find("id");
  if (id == nullptr || !id->is(Kind::String)) return item;
  MapEdit edit(item, stage);
  edit.find("id")->value = canonical_id(*id, catalogue, stage);
  return edit.done();
}

void canonicalize_addons(MapEdit& values, std::vector<Renamed>& renamed, const AddonCatalogue& catalogue,
                         Stage& stage) {
  Entry* addons = values.find("addons");
  if (addons == nullptr || !addons->value.is(Kind::List)) return;
  const auto is_known = [&](const Value& name) { return catalogue.find_or_alias(name.text()) != nullptr; };
  std::vector<Value> items;
  std::map<std::string_view, Span> seen;
  for (const Value& item : addons->value.items()) {
    if (item.is(Kind::String)) {
      renamed.push_back({fmt::format("addons[{}].id", items.size()), fmt::format("addons[{}]", items.size())});
    }
    items.push_back(canonical_addon(item, catalogue, stage));
    const Value* written = item.is(Kind::String) ? &item : item.find("id");
    if (written == nullptr || !written->is(Kind::String) || !is_known(*written)) continue;
    const Value* id = items.back().find("id");
    const auto [known, is_new] = seen.emplace(id->text(), place(*id, stage));
    if (!is_new) {
      stage.sink.report(diag::duplicate_addon, place(*id, stage), id->text()).also(known->second, "listed here first");
    }
  }
  addons->value = make_list(stage.arena, items).with_origin(addons->value.origin());
}

void canonicalize_addon_values(MapEdit& values, const AddonCatalogue& catalogue, Stage& stage) {
  Entry* section = values.find("addon_values");
  if (section == nullptr || !section->value.is(Kind::Map)) return;
  MapEdit edit(section->value, stage);
  std::map<std::string_view, Span> seen;
  for (Entry& entry : edit.entries()) {
    const std::string_view id = resolve_addon(entry.key, catalogue, stage);
    if (catalogue.find_or_alias(entry.key.text()) == nullptr) continue;
    entry.key = make_key(stage.arena, id).with_origin(entry.key.origin());
    const auto [known, is_new] = seen.emplace(id, place(entry.key, stage));
    if (!is_new) {
      stage.sink.report(diag::duplicate_addon, place(entry.key, stage), id).also(known->second, "given here first");
    }
  }
  const bool has_each_once = seen.size() == edit.entries().size();
  if (has_each_once) section->value = edit.done();
}

}  // namespace

Value normalize_layer(Value layer, Stage& stage) {
  if (!layer.is(Kind::Map)) return layer;
  MapEdit edit(layer, stage);
  const Entry* flat = edit.find("worker_count");
  if (flat == nullptr) return layer;
  const Entry count = *flat;
  if (const Entry* pools = edit.find("worker_pools")) {
    stage.sink.report(diag::given_twice, place(count.key, stage), "worker_count", "worker_pools")
        .also(place(pools->key, stage), "the pools are here")
        .advise("keep `worker_pools`; each pool has its `count`");
    edit.erase("worker_count");
    return edit.done();
  }
  edit.erase("worker_count");
  const bool deletes = count.value.is(Kind::Null);
  edit.set(key_at("worker_pools", count.key, stage),
           deletes ? count.value : default_pool(count.value, count.key, stage));
  return edit.done();
}

Normalized normalize(Value merged, const AddonCatalogue& catalogue, Stage& stage) {
  Normalized result;
  MapEdit values(merged, stage);
  const Entry* pools = values.find("worker_pools");
  if (pools != nullptr && pools->value.is(Kind::List) && pools->value.items().size() == 1) {
    const Value& pool = pools->value.items()[0];
    const Value* name = pool.find("name");
    const Value* count = pool.find("count");
    // The pool that normalize_layer made: name and list have the place of `worker_count`.
    if (name != nullptr && count != nullptr && pool.origin() == count->origin() && name->text() == "default") {
      result.renamed.push_back({"worker_pools[0].count", "worker_count"});
    }
  }
  fill_pool_flavors(values, result.renamed, stage);
  canonicalize_addons(values, result.renamed, catalogue, stage);
  canonicalize_addon_values(values, catalogue, stage);
  result.values = values.done();
  return result;
}

}  // namespace capwright::values
