// Rows and pages of the catalogue.
#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "cli/addons.h"
#include "report/json_values.h"
#include "values/choose_addons.h"

namespace capwright::cli {
namespace {

using values::Addon;

std::int64_t wave_of(const Value& entry) {
  const Value* wave = entry.find("wave");
  return wave != nullptr && wave->is(Kind::Int) ? wave->as_int() : 0;
}

// What others say of it counts as well.
std::vector<values::Conflict> conflicts_of(const Addon& addon, const Catalogue& catalogue) {
  std::vector<values::Conflict> conflicts;
  for (const Addon& other : catalogue.addons.addons) {
    const std::string_view why = &other == &addon ? "" : values::why_not_both(addon, other);
    if (!why.empty()) conflicts.push_back({other.id, why});
  }
  return conflicts;
}

std::string conflict_text(const values::Conflict& conflict) {
  return fmt::format("not together with `{}`: {}", conflict.with, conflict.why);
}

void sort_by_order(std::vector<AddonRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const AddonRow& a, const AddonRow& b) {
    return std::pair(a.addon->order, a.addon->id) < std::pair(b.addon->order, b.addon->id);
  });
}

// The cluster's finished entries.
const Value* finished_entry(const CompiledCluster& cluster, std::string_view id) {
  const Value* finished = cluster.values.find("addons");
  for (const Value& entry : finished->items()) {
    if (entry.text_at("id") == id) return &entry;
  }
  return nullptr;
}

AddonRow row_of(const Addon& addon, const Catalogue& catalogue, const CompiledCluster& cluster) {
  AddonRow row{&addon, "available", addon.entry, {}};
  if (!addon.retired.empty()) row.notes.push_back("retired: " + std::string(addon.retired));
  if (const Value* finished = finished_entry(cluster, addon.id)) {
    const Value* implied = finished->find("implied");
    row.state = implied != nullptr && implied->as_bool() ? "implied" : "listed";
    row.entry = *finished;
    return row;
  }
  const std::string_view provider = cluster.set->catalogue.provider;
  if (const auto unfit = values::find_incompatibility(addon, provider, cluster.values.text_at("kubernetes_type"))) {
    row.state = "unfit";
    row.notes.push_back(fmt::format("not for {} `{}`: {}", unfit->what, unfit->is, unfit->why));
    return row;
  }
  for (const values::Conflict& conflict : conflicts_of(addon, catalogue)) {
    if (finished_entry(cluster, conflict.with) == nullptr) continue;
    row.state = "excluded";
    row.notes.push_back(conflict_text(conflict));
  }
  for (const std::string_view needed : addon.needs) {
    if (finished_entry(cluster, needed) == nullptr) row.notes.push_back(fmt::format("needs `{}`", needed));
  }
  return row;
}

// Builds a map that opens with the entries of another.
class MapBuilder {
 public:
  MapBuilder(Arena& arena, std::span<const Entry> entries) : arena_(arena), entries_(entries.begin(), entries.end()) {}

  void set(std::string_view key, const Value& value) {
    for (Entry& entry : entries_) {
      if (entry.key.text() == key) {
        entry.value = value;
        return;
      }
    }
    entries_.push_back({make_key(arena_, key), value});
  }
  void set(std::string_view key, std::string_view text) { set(key, make_string(arena_, text)); }
  Value done() const { return make_map(arena_, entries_); }

 private:
  Arena& arena_;
  std::vector<Entry> entries_;
};

Value conflicts_value(const Addon& addon, const Catalogue& catalogue, Arena& arena) {
  std::vector<Value> items;
  for (const values::Conflict& conflict : conflicts_of(addon, catalogue)) {
    MapBuilder item(arena, {});
    item.set("with", conflict.with);
    item.set("why", conflict.why);
    items.push_back(item.done());
  }
  return make_list(arena, items);
}

Value row_value(const AddonRow& row, const Catalogue& catalogue, Arena& arena) {
  MapBuilder map(arena, row.addon->entry.entries());
  for (const std::string_view key : {"chart", "repository", "version", "namespace", "wave"}) {
    if (const Value* value = row.entry.find(key)) map.set(key, *value);
  }
  map.set("conflicts", conflicts_value(*row.addon, catalogue, arena));
  if (!row.state.empty()) map.set("state", row.state);
  std::vector<Value> notes;
  for (const std::string& note : row.notes) notes.push_back(make_string(arena, note));
  map.set("notes", make_list(arena, notes));
  return map.done();
}

std::string quoted(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
  return text;
}

// Empty: everywhere.
std::string works_on(const Addon& addon) {
  std::vector<std::string> parts;
  if (!addon.providers.empty()) parts.push_back(quoted(addon.providers));
  if (!addon.kubernetes_types.empty()) parts.push_back("with " + quoted(addon.kubernetes_types));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Keys that the schema has at `path`, a map of maps.
std::vector<std::string_view> keys_at(const Value& schema, std::initializer_list<std::string_view> path) {
  const Value* at = &schema;
  std::vector<std::string_view> keys;
  for (const std::string_view key : path) {
    const Value* properties = at->find("properties");
    at = properties == nullptr ? nullptr : properties->find(key);
    if (at == nullptr) return keys;
  }
  if (const Value* properties = at->find("properties")) {
    for (const Entry& entry : properties->entries()) keys.push_back(entry.key.text());
  }
  return keys;
}

std::vector<std::string_view> setting_keys_of(const Addon& addon, const Catalogue& catalogue) {
  std::vector<std::string_view> own;
  if (const Value* settings = addon.entry.find("settings")) {
    for (const Entry& setting : settings->entries()) own.push_back(setting.key.text());
    return own;
  }
  return keys_at(catalogue.schema, {"addon_settings", addon.id});
}

std::vector<std::string_view> credentials_of(const Addon& addon, const Catalogue& catalogue) {
  return keys_at(catalogue.schema, {"secrets", "addons", addon.id});
}

Value list_of(const std::vector<std::string_view>& texts, Arena& arena) {
  std::vector<Value> items;
  for (const std::string_view text : texts) items.push_back(make_string(arena, text));
  return make_list(arena, items);
}

// The versions of a chart that follows the minor of Kubernetes; empty if it doesn't.
std::string versions_text(const Value& entry) {
  const Value* versions = entry.find("versions");
  if (versions == nullptr) return "";
  std::vector<std::string> parts;
  for (const Entry& of : versions->entries()) parts.push_back(fmt::format("{} on {}", of.value.text(), of.key.text()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string misfit_text(const values::Exclusion& misfit) {
  std::vector<std::string> where;
  if (!misfit.providers.empty()) where.push_back(quoted(misfit.providers));
  if (!misfit.kubernetes_types.empty()) where.push_back(quoted(misfit.kubernetes_types));
  return fmt::format("not on {}: {}", fmt::join(where, " with "), misfit.why);
}

}  // namespace

std::vector<AddonRow> addon_rows(const Catalogue& catalogue) {
  std::vector<AddonRow> rows;
  for (const Addon& addon : catalogue.addons.addons) {
    AddonRow row{&addon, "", addon.entry, {}};
    if (!addon.retired.empty()) row.notes.push_back("retired: " + std::string(addon.retired));
    for (const values::Conflict& conflict : conflicts_of(addon, catalogue))
      row.notes.push_back(conflict_text(conflict));
    for (const std::string_view needed : addon.needs) row.notes.push_back(fmt::format("needs `{}`", needed));
    rows.push_back(std::move(row));
  }
  sort_by_order(rows);
  return rows;
}

std::vector<AddonRow> addon_rows(const Catalogue& catalogue, const CompiledCluster& cluster) {
  std::vector<AddonRow> rows;
  for (const Addon& addon : catalogue.addons.addons) rows.push_back(row_of(addon, catalogue, cluster));
  sort_by_order(rows);
  return rows;
}

std::string addon_list_text(const std::vector<AddonRow>& rows) {
  std::size_t id_width = 0, version_width = 0, state_width = 0;
  for (const AddonRow& row : rows) {
    id_width = std::max(id_width, row.addon->id.size());
    version_width = std::max(version_width, row.entry.text_at("version").size());
    if (!row.state.empty()) state_width = std::max(state_width, row.state.size() + 2);
  }
  std::string text;
  for (const AddonRow& row : rows) {
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:<{}}  {:>2}  {:<{}}{}\n", row.addon->id, id_width,
                   row.entry.text_at("version"), version_width, wave_of(row.entry), row.state, state_width,
                   row.entry.text_at("title"));
    for (const std::string& note : row.notes) text += "    " + note + "\n";
  }
  return text;
}

std::string addon_list_json(const Catalogue& catalogue, const std::vector<AddonRow>& rows, std::string_view cluster) {
  Arena arena;
  MapBuilder document(arena, {});
  document.set("version", Value::integer(1));
  document.set("as_of", catalogue.as_of);
  if (!cluster.empty()) document.set("cluster", cluster);
  std::vector<Value> items;
  for (const AddonRow& row : rows) items.push_back(row_value(row, catalogue, arena));
  document.set("addons", make_list(arena, items));
  return report::as_pretty_json(document.done());
}

std::string addon_page_text(const Catalogue& catalogue, const Addon& addon) {
  const Value& entry = addon.entry;
  std::string text = fmt::format("{}: {}\n", addon.id, entry.text_at("title"));
  const auto line = [&](std::string_view name, const std::string& what) {
    if (!what.empty()) fmt::format_to(std::back_inserter(text), "  {:<12} {}\n", name, what);
  };
  if (!addon.retired.empty()) line("retired", std::string(addon.retired));
  if (!addon.aliases.empty()) line("also called", quoted(addon.aliases));
  if (addon.has_chart) {
    line("chart", fmt::format("{} {}", entry.text_at("chart"), entry.text_at("version")));
    line("by minor", versions_text(entry));
    line("repository", std::string(entry.text_at("repository")));
  } else if (!addon.manifest.empty()) {
    line("manifest",
         fmt::format("{} with version {}, a file of your repository", addon.manifest, entry.text_at("version")));
    line("source", std::string(addon.manifest_source));
  }
  if (const Value* manifests = entry.find("manifests")) {
    std::vector<std::string_view> names;
    for (const Value& name : manifests->items()) names.push_back(name.text());
    line("manifests", quoted(names));
  }
  line("namespace", std::string(entry.text_at("namespace")));
  if (entry.find("wave") != nullptr) line("wave", std::to_string(wave_of(entry)));
  const std::string clouds = works_on(addon);
  line("works on", clouds);
  for (const values::Exclusion& misfit : addon.not_on) line(clouds.empty() ? "works" : "", misfit_text(misfit));
  if (!addon.implied_for.empty()) line("implied on", quoted(addon.implied_for));
  if (!addon.needs.empty()) line("needs", quoted(addon.needs));
  if (!addon.after.empty()) line("comes after", quoted(addon.after));
  const auto settings = setting_keys_of(addon, catalogue), credentials = credentials_of(addon, catalogue);
  if (!settings.empty()) line("settings", fmt::format("`addon_settings.{}`: {}", addon.id, quoted(settings)));
  if (!credentials.empty()) line("credentials", fmt::format("`secrets.addons.{}`: {}", addon.id, quoted(credentials)));
  std::string_view heading = "conflicts";
  for (const values::Conflict& conflict : conflicts_of(addon, catalogue)) {
    line(heading, conflict_text(conflict));
    heading = "";
  }
  if (entry.find("file") != nullptr) line("file", std::string(entry.text_at("file")));
  else line("looked up on", std::string(catalogue.as_of));
  return text;
}

std::string addon_page_json(const Catalogue& catalogue, const Addon& addon) {
  Arena arena;
  AddonRow row{&addon, "", addon.entry, {}};
  if (!addon.retired.empty()) row.notes.push_back("retired: " + std::string(addon.retired));
  MapBuilder page(arena, row_value(row, catalogue, arena).entries());
  page.set("settings", list_of(setting_keys_of(addon, catalogue), arena));
  page.set("secrets", list_of(credentials_of(addon, catalogue), arena));
  return report::as_pretty_json(page.done());
}

}  // namespace capwright::cli
