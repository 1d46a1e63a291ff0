// Texts are read once, when the repository is opened. Each use parses the facts again, into the sources of that use.
#include "pipeline/own_addons.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "diag/catalog/layers.h"
#include "diag/catalog/tree.h"
#include "diag/suggest.h"
#include "facts/built_in.h"
#include "files/io_fault.h"
#include "files/path_rules.h"
#include "pipeline/own_catalogue.h"
#include "pipeline/read_source.h"
#include "schema/schema.h"
#include "values/addon_catalogue.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr std::string_view kValues = "values.yaml", kManifests = "manifests", kTemplate = ".j2";
constexpr std::int64_t kDefaultWave = 30;  // after the built-in add-ons, whose last wave is 22

bool is_dns_label(std::string_view text) {
  return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

// "crds.yaml" for "crds.yaml.j2".
std::string_view without_template(std::string_view name) {
  return name.ends_with(kTemplate) ? name.substr(0, name.size() - kTemplate.size()) : name;
}

bool has_template_name(std::string_view name) { return name.ends_with(kTemplate); }
bool is_values(std::string_view name) { return without_template(name) == kValues; }
bool is_manifest(const OwnAddon::File& file) { return file.name.starts_with(std::string(kManifests) + "/"); }

std::string folder_of(std::string_view id) { return fmt::format("{}/{}", kOwnAddons, id); }

Value read_facts(const OwnAddon& addon, Stage& stage) {
  const Value facts = read_yaml(stage.sources.add(addon.facts.shown, addon.facts.text), stage);
  return facts.is(Kind::Map) ? facts : make_map(stage.arena, {}).with_origin(facts.origin());
}

// Reads one folder. An add-on without an id has errors.
class AddonReader {
 public:
  AddonReader(FileSystem& fs, const Workspace& workspace, Stage& stage)
      : fs_(fs), workspace_(workspace), stage_(stage), schema_(read_schema()) {}

  OwnAddon read(const std::string& id) {
    const std::size_t errors = stage_.sink.error_count();
    OwnAddon addon{id, {}, {}};
    const std::string folder = folder_of(id);
    if (!is_dns_label(id))
      fail(folder, "its folder's name is its id, which has only lower-case letters, digits and `-`");
    if (const auto facts = take(addon, std::string(kAddonFacts), folder)) {
      addon.facts = std::move(addon.files.back());
      addon.files.pop_back();
      schema::validate(*schema_, read_yaml(*facts, stage_), stage_);
    }
    for (const DirEntry& entry : list(folder)) {
      if (is_values(entry.name)) take(addon, entry.name, folder);
    }
    if (addon.files.size() > 1) fail(folder, "it has both `values.yaml` and `values.yaml.j2`; keep one");
    read_manifests(addon, folder);
    if (stage_.sink.error_count() != errors) addon.id.clear();
    return addon;
  }

 private:
  std::shared_ptr<const schema::Schema> read_schema() {
    const FileId file = stage_.sources.add(std::string(kAddonSchema), std::string(built_in_text(kAddonSchema)));
    return schema::compile(read_yaml(file, stage_), stage_);
  }

  void fail(const std::string& folder, std::string why) {
    stage_.sink.report(diag::unusable_addon, {}, folder, std::move(why));
  }

  // Empty for a folder that doesn't exist.
  std::vector<DirEntry> list(const std::string& folder) {
    std::vector<DirEntry> entries;
    const IoError error = fs_.list(workspace_.io_path(folder), entries);
    if (error && error.code != ENOENT) report_io_fault(stage_.sink, IoTask::List, folder, error);
    return entries;
  }

  std::optional<FileId> take(OwnAddon& addon, const std::string& name, const std::string& folder) {
    const std::string shown = folder + "/" + name;
    const std::optional<FileId> file = read_source(fs_, workspace_, shown, Span(), stage_);
    if (!file) return file;
    addon.files.push_back({name, shown, std::string(stage_.sources.text(*file))});
    if (!has_template_name(name)) refuse_marker(*file, folder);
    return file;
  }

  // Only a template can start another rendered file. The text of this one is copied into a rendered file as it is.
  void refuse_marker(FileId file, const std::string& folder) {
    constexpr std::string_view kMarker = "# FILE: ";
    const std::string_view text = stage_.sources.text(file);
    for (std::size_t at = text.find(kMarker); at != std::string_view::npos; at = text.find(kMarker, at + 1)) {
      if (at > 0 && text[at - 1] != '\n') continue;
      const auto begin = static_cast<std::uint32_t>(at);
      const auto end = static_cast<std::uint32_t>(at + kMarker.size());
      stage_.sink.report(diag::unusable_addon, {file, begin, end}, folder, "this line starts another rendered file")
          .advise("write the comment without `FILE:`");
    }
  }

  void read_manifests(OwnAddon& addon, const std::string& folder) {
    std::set<std::string_view> names;
    const std::vector<DirEntry> entries = list(folder + "/" + std::string(kManifests));
    for (const DirEntry& entry : entries) {
      const std::string_view name = without_template(entry.name);
      if (entry.type == FileType::Directory || !has_data_name(name)) continue;
      if (!names.insert(name).second)
        fail(folder, fmt::format("`{0}/{1}` and `{0}/{1}.j2` are the same manifest; keep one", kManifests, name));
      const auto file = take(addon, fmt::format("{}/{}", kManifests, entry.name), folder);
      // Only its errors count; a template is text until it is rendered.
      if (file && !has_template_name(entry.name))
        read_yaml_documents(*file, stage_, {ScalarRules::Kubernetes, TextSyntax::Yaml});
    }
  }

  FileSystem& fs_;
  const Workspace& workspace_;
  Stage& stage_;
  std::shared_ptr<const schema::Schema> schema_;
};

// What entries say of each other.
class AddonCheck {
 public:
  AddonCheck(const OwnCatalogue& own, Stage& stage)
      : stage_(stage), built_in_(values::read_addon_catalogue(addon_facts(own, stage))) {}

  // Reports all errors. `addons` have passed AddonReader.
  void run(const std::vector<OwnAddon>& addons) {
    const std::size_t errors = stage_.sink.error_count();
    for (const OwnAddon& addon : addons) check_names(addon);
    const Value document = with_own_addons(make_map(stage_.arena, {}), addons, stage_);
    const values::AddonCatalogue own = values::read_addon_catalogue(document);
    for (const OwnAddon& addon : addons) {
      const values::Addon& entry = *own.find(addon.id);
      if (!entry.has_chart && entry.entry.find("manifests")->items().empty()) {
        stage_.sink.report(diag::unusable_addon, {}, folder_of(addon.id), "it has nothing to install")
            .advise(fmt::format("name a `chart` in {}, or add manifests in {}/manifests/", addon.facts.shown,
                                folder_of(addon.id)));
      }
      check_release(entry, addon);
      check_references(entry, own);
    }
    if (stage_.sink.error_count() == errors) check_circles(addons, own);
  }

 private:
  const values::Addon* find(std::string_view id, const values::AddonCatalogue& own) const {
    const values::Addon* found = built_in_.find(id);
    return found != nullptr ? found : own.find(id);
  }

  void check_names(const OwnAddon& addon) {
    if (built_in_.find_or_alias(addon.id) != nullptr) {
      stage_.sink.report(diag::unusable_addon, {}, folder_of(addon.id), "a built-in add-on has this name")
          .advise("rename the folder; a built-in add-on's chart is set in `catalogue/addons.yaml` or in `addons`");
    }
    names_.insert(addon.id);
    const Value facts = read_facts(addon, stage_);
    const Value* aliases = facts.find("aliases");
    for (const Value& alias : aliases != nullptr ? aliases->items() : std::span<const Value>()) {
      if (built_in_.find_or_alias(alias.text()) == nullptr && names_.insert(std::string(alias.text())).second) continue;
      stage_.sink.report(diag::unusable_addon, stage_.span_of(alias), folder_of(addon.id),
                         fmt::format("another add-on has the name `{}`", alias.text()));
    }
  }

  void check_references(const values::Addon& addon, const values::AddonCatalogue& own) {
    for (const std::string_view key : {"needs", "after", "conflicts"}) {
      const Value* list = addon.entry.find(key);
      for (const Value& item : list != nullptr ? list->items() : std::span<const Value>()) {
        const Value& id = item.is(Kind::Map) ? *item.find("with") : item;
        const values::Addon* other = find(id.text(), own);
        if (other == nullptr || other->id == addon.id) report_unknown(id, key, own);
        else if (key != "conflicts") check_wave(addon, *other, id, key == "needs" ? 1 : 0);
      }
    }
  }

  void report_unknown(const Value& id, std::string_view key, const values::AddonCatalogue& own) {
    std::vector<std::string_view> names;
    for (const values::AddonCatalogue* catalogue : {&built_in_, &own}) {
      for (const values::Addon& addon : catalogue->addons) names.push_back(addon.id);
    }
    const std::string meant = did_you_mean(id.text(), names);
    stage_.sink.report(diag::unknown_related_addon, stage_.span_of(id), key, id.text())
        .advise(meant.empty() ? "`capwright addons list` shows the ids" : meant);
  }

  // The chart is installed under the add-on's id.
  void check_release(const values::Addon& entry, const OwnAddon& addon) {
    constexpr std::size_t kMost = 53;  // bytes of a release's name in Helm 3
    if (!entry.has_chart || addon.id.size() <= kMost) return;
    stage_.sink
        .report(diag::unusable_addon, {}, folder_of(addon.id),
                fmt::format("its id names the release, and Helm allows {} characters", kMost))
        .advise(fmt::format("shorten the folder's name by {}", addon.id.size() - kMost));
  }

  // Reports add-ons that come before themselves. `addons` have known references only.
  void check_circles(const std::vector<OwnAddon>& addons, const values::AddonCatalogue& own) {
    std::set<std::string_view> done;
    for (const OwnAddon& addon : addons) {
      std::vector<std::string_view> path;
      if (!done.contains(addon.id)) follow(addon.id, own, path, done);
    }
  }

  // Returns whether the walk through the add-ons that come before `id` has met a circle, which is reported.
  bool follow(std::string_view id, const values::AddonCatalogue& own, std::vector<std::string_view>& path,
              std::set<std::string_view>& done) {
    const values::Addon* addon = own.find(id);
    if (addon == nullptr) return false;  // a built-in one, which comes before no other
    if (const auto first = std::find(path.begin(), path.end(), addon->id); first != path.end()) {
      report_circle(std::span(first, path.end()));
      done.insert(first, path.end());
      return true;
    }
    path.push_back(addon->id);
    for (const std::string_view key : {"needs", "after"}) {
      const Value* list = addon->entry.find(key);
      for (const Value& other : list != nullptr ? list->items() : std::span<const Value>()) {
        if (!done.contains(other.text()) && follow(other.text(), own, path, done)) return true;
      }
    }
    path.pop_back();
    done.insert(addon->id);
    return false;
  }

  void report_circle(std::span<const std::string_view> circle) {
    stage_.sink
        .report(diag::unusable_addon, {}, folder_of(circle.front()),
                fmt::format("it comes before itself: `{}` -> `{}`", fmt::join(circle, "` -> `"), circle.front()))
        .advise("remove one of these from `needs` or `after`");
  }

  // Cluster API applies manifests in no wave.
  void check_wave(const values::Addon& addon, const values::Addon& first, const Value& place, std::int64_t distance) {
    if (!addon.has_chart || !first.has_chart) return;
    const Value& wave = *addon.entry.find("wave");
    const std::int64_t before = first.entry.find("wave")->as_int();
    if (wave.as_int() >= before + distance) return;
    const Span where = stage_.span_of(wave).known() ? stage_.span_of(wave) : stage_.span_of(place);
    stage_.sink.report(diag::addon_wave_too_low, where, addon.id, wave.as_int(), first.id, before)
        .advise(fmt::format("put `{}` into wave {} or above", addon.id, before + distance));
  }

  Stage& stage_;
  const values::AddonCatalogue built_in_;
  std::set<std::string, std::less<>> names_;
};

// Position among the add-ons: after those that come before it, and otherwise that of its wave. `orders` has those of
// all other entries as far as they are known.
std::int64_t order_of(const std::vector<Entry>& entries, const std::map<std::string_view, std::int64_t>& orders) {
  std::int64_t order = 0;
  for (const Entry& entry : entries) {
    if (entry.key.text() == "wave") order = std::max(order, entry.value.as_int());
    if (entry.key.text() != "needs" && entry.key.text() != "after") continue;
    for (const Value& id : entry.value.items()) {
      const auto known = orders.find(id.text());
      if (known != orders.end()) order = std::max(order, known->second);
    }
  }
  return order;
}

// The entry without its order.
std::vector<Entry> entries_of(const OwnAddon& addon, Stage& stage) {
  const Value facts = read_facts(addon, stage);
  std::vector<Entry> entries;
  const auto add = [&](std::string_view key, const Value& value) {
    entries.push_back({make_key(stage.arena, key), value});
  };
  const auto text = [&](std::string_view bytes) { return make_string(stage.arena, bytes).with_origin(facts.origin()); };
  const bool has_chart = facts.find("chart") != nullptr;
  add("id", text(addon.id));
  if (facts.find("title") == nullptr) add("title", text(addon.id));
  add("delivery", text(has_chart ? "application" : "cluster-resource-set"));
  if (facts.find("namespace") == nullptr) add("namespace", text(addon.id));
  if (has_chart && facts.find("wave") == nullptr) add("wave", Value::integer(kDefaultWave));
  entries.insert(entries.end(), facts.entries().begin(), facts.entries().end());
  std::vector<Value> manifests;
  for (const OwnAddon::File& file : addon.files) {
    if (is_manifest(file)) manifests.push_back(text(included_name(addon, file)));
  }
  add("manifests", make_list(stage.arena, manifests));
  add("file", text(addon.facts.shown));
  return entries;
}

}  // namespace

std::vector<OwnAddon> read_own_addons(FileSystem& fs, const Workspace& workspace, const OwnCatalogue& own,
                                      Stage& stage) {
  std::vector<OwnAddon> addons;
  std::vector<DirEntry> folders;
  const IoError error = fs.list(workspace.io_path(std::string(kOwnAddons)), folders);
  if (error.code == kOutOfBounds) report_io_fault(stage.sink, IoTask::List, kOwnAddons, error);
  if (error) return addons;  // a repository without its own add-ons has no such folder
  std::optional<AddonReader> reader;
  for (const DirEntry& folder : folders) {
    FileStat stat;
    if (fs.stat(workspace.io_path(folder_of(folder.name) + "/" + std::string(kAddonFacts)), stat)) continue;
    if (!reader) reader.emplace(fs, workspace, stage);
    if (OwnAddon addon = reader->read(folder.name); !addon.id.empty()) addons.push_back(std::move(addon));
  }
  const std::size_t errors = stage.sink.error_count();
  if (!addons.empty()) AddonCheck(own, stage).run(addons);
  if (stage.sink.error_count() != errors) addons.clear();
  return addons;
}

Value with_own_addons(const Value& catalogue, const std::vector<OwnAddon>& addons, Stage& stage) {
  std::vector<Value> items;
  std::map<std::string_view, std::int64_t> orders;
  if (const Value* known = catalogue.find("addons")) items.assign(known->items().begin(), known->items().end());
  for (const Value& item : items) orders[item.text_at("id")] = item.find("order")->as_int();
  std::vector<std::vector<Entry>> own;
  for (const OwnAddon& addon : addons) own.push_back(entries_of(addon, stage));
  // Each round orders at least one more add-on of a chain.
  bool is_changed = true;
  for (std::size_t round = 0; round < own.size() && is_changed; ++round) {
    is_changed = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::int64_t order = order_of(own[i], orders);
      is_changed = is_changed || orders[addons[i].id] != order;
      orders[addons[i].id] = order;
    }
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i].push_back({make_key(stage.arena, "order"), Value::integer(orders[addons[i].id])});
    items.push_back(make_map(stage.arena, own[i]));
  }
  std::vector<Entry> entries;
  for (const Entry& entry : catalogue.entries()) {
    if (entry.key.text() != "addons") entries.push_back(entry);
  }
  entries.push_back({make_key(stage.arena, "addons"), make_list(stage.arena, items)});
  return make_map(stage.arena, entries).with_origin(catalogue.origin());
}

Value own_addon_schema(const OwnCatalogue& own, Stage& stage) {
  const auto map_of = [&](std::initializer_list<std::pair<std::string_view, Value>> pairs) {
    std::vector<Entry> entries;
    for (const auto& [key, value] : pairs) entries.push_back({make_key(stage.arena, key), value});
    return make_map(stage.arena, entries);
  };
  const auto text = [&](std::string_view bytes) { return make_string(stage.arena, bytes); };
  std::vector<Entry> sections;
  std::vector<Value> plugins;
  for (const Value& entry : addon_facts(own, stage).find("addons")->items()) {
    const std::string_view id = entry.text_at("id");
    if (entry.text_at("role") == "cni") plugins.push_back(text(id));
    const Value* settings = entry.find("settings");
    if (settings == nullptr) continue;
    sections.push_back({make_key(stage.arena, id), map_of({{"title", text(id)},
                                                           {"description", text(fmt::format("Settings of `{}`.", id))},
                                                           {"type", text("object")},
                                                           {"additionalProperties", Value::boolean(false)},
                                                           {"default", make_map(stage.arena, {})},
                                                           {"properties", *settings}})});
  }
  const Value known = map_of({{"properties", map_of({{"id", map_of({{"enum", make_list(stage.arena, plugins)}})}})}});
  const Value settings = map_of({{"properties", make_map(stage.arena, sections)}});
  return map_of(
      {{"properties", map_of({{"addon_settings", settings}})}, {"$defs", map_of({{"network_plugin", known}})}});
}

std::string included_name(const OwnAddon& addon, const OwnAddon::File& file) {
  if (is_values(file.name)) return fmt::format("addons/values/{}.yaml.j2", addon.id);
  return fmt::format("addons/{}/{}", addon.id, file.name);
}

void report_unused_addon_files(FileSystem& fs, const Workspace& workspace, Sink& sink) {
  constexpr std::array<std::string_view, 4> kRead{kAddonFacts, kValues, "values.yaml.j2", kManifests};
  std::vector<DirEntry> folders;
  if (fs.list(workspace.io_path(std::string(kOwnAddons)), folders)) return;
  for (const DirEntry& folder : folders) {
    FileStat stat;
    std::vector<DirEntry> entries;
    const std::string path = folder_of(folder.name);
    const bool is_addon = !fs.stat(workspace.io_path(path + "/" + std::string(kAddonFacts)), stat);
    if (fs.list(workspace.io_path(path), entries)) continue;
    for (const DirEntry& entry : entries) {
      const bool is_read = std::find(kRead.begin(), kRead.end(), entry.name) != kRead.end();
      const std::string meant = is_read ? "" : did_you_mean(entry.name, kRead);
      // Other programs may have such a folder, and an add-on may have a page for readers.
      if (is_read || (meant.empty() && (!is_addon || !has_data_name(without_template(entry.name))))) continue;
      sink.report(diag::unused_catalogue_file, Span(), path + "/" + entry.name,
                  "an add-on has `addon.yaml`, `values.yaml` or `values.yaml.j2`, and `manifests/`")
          .advise(meant.empty() ? "remove the file, or move it into `manifests/`" : meant);
    }
  }
}

}  // namespace capwright
