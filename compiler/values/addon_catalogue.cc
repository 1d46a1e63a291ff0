// Reads the catalogue's YAML into a table.
#include "values/addon_catalogue.h"

#include <algorithm>

#include "base/check.h"

namespace capwright::values {
namespace {

std::vector<std::string_view> texts_of(const Value* list) {
  std::vector<std::string_view> texts;
  if (list == nullptr || !list->is(Kind::List)) return texts;
  for (const Value& item : list->items()) texts.push_back(item.text());
  return texts;
}

template <class Read>
void for_each(const Value& entry, std::string_view key, Read read) {
  if (const Value* list = entry.find(key)) {
    for (const Value& item : list->items()) read(item);
  }
}

Addon read_addon(const Value& entry) {
  Addon addon;
  addon.id = entry.text_at("id");
  CW_CHECK(!addon.id.empty(), "every entry of the add-on catalogue has an id");
  addon.role = entry.text_at("role");
  addon.aliases = texts_of(entry.find("aliases"));
  addon.providers = texts_of(entry.find("providers"));
  addon.kubernetes_types = texts_of(entry.find("kubernetes_types"));
  if (const Value* implied = entry.find("implied_by")) addon.implied_for = texts_of(implied->find("provider"));
  for_each(entry, "not_on", [&](const Value& item) {
    addon.not_on.push_back(
        {texts_of(item.find("providers")), texts_of(item.find("kubernetes_types")), item.text_at("why")});
  });
  for_each(entry, "conflicts", [&](const Value& item) {
    addon.conflicts.push_back({item.text_at("with"), item.text_at("why")});
  });
  addon.needs = texts_of(entry.find("needs"));
  addon.after = texts_of(entry.find("after"));
  addon.retired = entry.text_at("retired");
  addon.chart = entry.text_at("chart");
  addon.has_chart = entry.text_at("delivery") == "application";
  if (const Value* order = entry.find("order")) addon.order = order->as_int();
  addon.manifest = entry.text_at("manifest");
  addon.manifest_source = entry.text_at("manifest_source");
  addon.entry = entry;
  return addon;
}

}  // namespace

const Addon* AddonCatalogue::find(std::string_view id) const {
  const auto found = std::find_if(addons.begin(), addons.end(), [&](const Addon& addon) { return addon.id == id; });
  return found == addons.end() ? nullptr : &*found;
}

const Addon* AddonCatalogue::find_or_alias(std::string_view name) const {
  const auto found = std::find_if(addons.begin(), addons.end(), [&](const Addon& addon) {
    return addon.id == name || std::find(addon.aliases.begin(), addon.aliases.end(), name) != addon.aliases.end();
  });
  return found == addons.end() ? nullptr : &*found;
}

std::vector<std::string_view> AddonCatalogue::names() const {
  std::vector<std::string_view> names;
  for (const Addon& addon : addons) {
    names.push_back(addon.id);
    names.insert(names.end(), addon.aliases.begin(), addon.aliases.end());
  }
  return names;
}

std::string_view kubernetes_minor(const Value& values) {
  std::string_view version = values.text_at("kubernetes_version");
  if (version.starts_with('v')) version.remove_prefix(1);
  const std::size_t dot = version.find('.');
  return dot == std::string_view::npos ? std::string_view() : version.substr(0, version.find('.', dot + 1));
}

AddonCatalogue read_addon_catalogue(const Value& document) {
  const Value* list = document.find("addons");
  CW_CHECK(list != nullptr && list->is(Kind::List), "schemas/catalogue/addons.yaml has a list `addons`");
  AddonCatalogue catalogue;
  for (const Value& entry : list->items()) catalogue.addons.push_back(read_addon(entry));
  return catalogue;
}

}  // namespace capwright::values
