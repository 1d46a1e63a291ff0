// One finished entry an add-on, in the order in which they are installed.
#include "values/complete_addons.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "diag/catalog.h"
#include "diag/suggest.h"
#include "yaml/read.h"

namespace capwright::values {
namespace {

// Facts for choosing and finding; templates have no use for them.
constexpr std::string_view kCatalogueOnly[] = {"aliases", "providers", "kubernetes_types", "implied_by", "manifest_source"};

bool holds(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view text_of(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->is(Kind::String) ? value->text() : std::string_view();
}

void set(std::vector<Entry>& entries, const Value& key, const Value& value) {
  for (Entry& entry : entries) {
    if (entry.key.text() == key.text()) {
      entry.value = value;
      return;
    }
  }
  entries.push_back({key, value});
}

struct Finished {
  const Addon* addon;
  std::vector<Entry> entries;
};

class Completion {
 public:
  Completion(const Value& values, const std::function<Value(const Value&)>& restamp, const VendoredFiles& files, Stage& stage)
      : provider_(text_of(values, "provider")),
        kubernetes_type_(text_of(values, "kubernetes_type")),
        restamp_(restamp),
        files_(files),
        stage_(stage) {}

  // `item`: what the values say of this add-on; null for an implied one.
  void add(const Addon& addon, const Value* item) {
    const Span where = item != nullptr ? stage_.origins[item->find("id")->origin()].span : Span();
    if (!fits(addon, where)) return;
    Finished finished{&addon, {}};
    const Value restamped = restamp_(addon.entry);
    for (const Entry& entry : restamped.entries()) {
      const bool dropped = std::find(std::begin(kCatalogueOnly), std::end(kCatalogueOnly), entry.key.text()) !=
                           std::end(kCatalogueOnly);
      if (!dropped) finished.entries.push_back(entry);
    }
    if (item != nullptr) {
      for (const Entry& entry : item->entries()) set(finished.entries, entry.key, entry.value);
    }
    set(finished.entries, make_key(stage_.arena, "implied"), Value::boolean(item == nullptr));
    if (addon.entry.find("privileged") == nullptr) {
      set(finished.entries, make_key(stage_.arena, "privileged"), Value::boolean(false));
    }
    if (!addon.manifest.empty()) attach_manifest(finished, where);
    finished_.push_back(std::move(finished));
  }

  Value done(const Value& like) {
    std::stable_sort(finished_.begin(), finished_.end(), [](const Finished& a, const Finished& b) {
      return std::pair(a.addon->order, a.addon->id) < std::pair(b.addon->order, b.addon->id);
    });
    std::vector<Value> items;
    for (const Finished& finished : finished_) items.push_back(make_map(stage_.arena, finished.entries));
    return make_list(stage_.arena, items).with_origin(like.origin());
  }

 private:
  bool fits(const Addon& addon, Span where) {
    if (!addon.providers.empty() && !holds(addon.providers, provider_)) {
      stage_.sink.report(diag::addon_not_for_provider, where, addon.id, "provider", provider_)
          .note("it works on " + list_names(addon.providers));
      return false;
    }
    if (!addon.kubernetes_types.empty() && !holds(addon.kubernetes_types, kubernetes_type_)) {
      stage_.sink.report(diag::addon_not_for_provider, where, addon.id, "kubernetes type", kubernetes_type_)
          .note("it works with " + list_names(addon.kubernetes_types));
      return false;
    }
    return true;
  }

  static std::string with_version(std::string_view text, std::string_view version) {
    std::string path(text);
    const std::size_t at = path.find("{version}");
    if (at != std::string::npos) path.replace(at, std::string_view("{version}").size(), version);
    return path;
  }

  void attach_manifest(Finished& finished, Span where) {
    const Value shape = make_map(stage_.arena, finished.entries);
    const std::string version(text_of(shape, "version"));
    const std::string path = with_version(finished.addon->manifest, version);
    const std::optional<FileId> file = files_(path);
    if (!file) {
      stage_.sink.report(diag::missing_vendored_file, where, finished.addon->id, path)
          .advise(fmt::format("get it from {} and commit it as `{}`", with_version(finished.addon->manifest_source, version), path));
      return;
    }
    read_yaml_documents(*file, stage_, {ScalarRules::Kubernetes, TextSyntax::Yaml});  // only its faults count
    const std::string_view text = stage_.sources.text(*file);
    const OriginId origin = stage_.origins.input({*file, 0, static_cast<std::uint32_t>(text.size())});
    set(finished.entries, make_key(stage_.arena, "manifest"),
        Value::string(make_text_view(stage_.arena, text)).with_origin(origin));
    set(finished.entries, make_key(stage_.arena, "manifest_path"), make_string(stage_.arena, path).with_origin(origin));
  }

  std::string_view provider_;
  std::string_view kubernetes_type_;
  const std::function<Value(const Value&)>& restamp_;
  const VendoredFiles& files_;
  Stage& stage_;
  std::vector<Finished> finished_;
};

// Raw values for an add-on that isn't there have no effect: the user should know.
void warn_unused_values(const Value& values, const Value& addons, Stage& stage) {
  const Value* section = values.find("addon_values");
  if (section == nullptr || !section->is(Kind::Map)) return;
  for (const Entry& entry : section->entries()) {
    const bool listed = std::any_of(addons.items().begin(), addons.items().end(), [&](const Value& addon) {
      return text_of(addon, "id") == entry.key.text();
    });
    if (!listed) {
      stage.sink.report(diag::addon_values_for_unlisted, stage.origins[entry.key.origin()].span, entry.key.text())
          .advise("add it to `addons`, or remove its values");
    }
  }
}

}  // namespace

Value complete_addons(Value values, const AddonCatalogue& catalogue, const std::function<Value(const Value&)>& restamp,
                      const VendoredFiles& files, Stage& stage) {
  const Value* listed = values.find("addons");
  if (listed == nullptr || !listed->is(Kind::List)) return values;
  Completion completion(values, restamp, files, stage);
  std::vector<std::string_view> ids;
  for (const Value& item : listed->items()) {
    const std::string_view id = text_of(item, "id");
    ids.push_back(id);
    if (const Addon* addon = catalogue.find(id)) completion.add(*addon, &item);
  }
  const std::string_view provider = text_of(values, "provider");
  for (const Addon& addon : catalogue.addons) {
    if (holds(addon.implied_for, provider) && !holds(ids, addon.id)) completion.add(addon, nullptr);
  }
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  for (Entry& entry : entries) {
    if (entry.key.text() == "addons") entry.value = completion.done(*listed);
  }
  const Value completed = make_map(stage.arena, entries).with_origin(values.origin());
  warn_unused_values(completed, *completed.find("addons"), stage);
  return completed;
}

}  // namespace capwright::values
