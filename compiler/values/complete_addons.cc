// One complete entry per add-on, in installation order.
#include "values/complete_addons.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "diag/catalog/layers.h"
#include "values/choose_addons.h"
#include "yaml/read.h"

namespace capwright::values {
namespace {

// Facts for selection; templates don't need them.
constexpr std::string_view kCatalogueOnly[] = {
    "aliases",   "providers", "kubernetes_types", "not_on",   "implied_by", "needs",  "after",
    "conflicts", "retired",   "manifest_source",  "versions", "settings",   "health", "file"};
// Keys of an item that apply only to charts.
constexpr std::string_view kChartOnly[] = {"values", "merge", "chart", "repository"};

void set(std::vector<Entry>& entries, const Value& key, const Value& value) {
  for (Entry& entry : entries) {
    if (entry.key.text() == key.text()) {
      entry.value = value;
      return;
    }
  }
  entries.push_back({key, value});
}

const Value* find(const std::vector<Entry>& entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key.text() == key; });
  return found == entries.end() ? nullptr : &found->value;
}

struct Finished {
  ChosenAddon chosen;
  std::vector<Entry> entries;

  std::string_view id() const { return chosen.addon->id; }
  std::int64_t wave() const {
    const Value* wave = find(entries, "wave");
    return wave != nullptr && wave->is(Kind::Int) ? wave->as_int() : 0;
  }
};

class Completion {
 public:
  Completion(const Value& values, const AddonInputs& inputs, Stage& stage)
      : raw_values_(values.find("addon_values")),
        minor_(kubernetes_minor(values)),
        delivery_(values.text_at("addon_delivery")),
        kubernetes_type_(values.text_at("kubernetes_type")),
        restamp_(inputs.restamp),
        files_(inputs.files),
        only_manifests_(inputs.only_manifests),
        stage_(stage) {}

  void add(const ChosenAddon& chosen) {
    const Addon& addon = *chosen.addon;
    Finished finished{chosen, {}};
    const Value restamped = restamp_(addon.entry);
    for (const Entry& entry : restamped.entries()) {
      const bool dropped =
          std::find(std::begin(kCatalogueOnly), std::end(kCatalogueOnly), entry.key.text()) != std::end(kCatalogueOnly);
      if (!dropped) finished.entries.push_back(entry);
    }
    if (const Value* versions = restamped.find("versions")) {
      if (const Value* version = versions->find(minor_))
        set(finished.entries, make_key(stage_.arena, "version"), *version);
    }
    if (chosen.item != nullptr) lay_over(finished);
    fill_in(finished);
    if (!addon.manifest.empty()) attach_manifest(finished);
    check_delivery(finished);
    finished_.push_back(std::move(finished));
  }

  // A dependency must be in a lower wave; an optional one may be in the same wave. The highest wave of all dependencies
  // counts.
  void check_waves() {
    for (const Finished& later : finished_) {
      const Addon& addon = *later.chosen.addon;
      if (!addon.has_chart) continue;  // Cluster API applies manifests in no wave
      const Finished* highest = nullptr;
      std::int64_t least = 0;
      for (const Finished& earlier : finished_) {
        const bool needed = holds(addon.needs, earlier.id());
        if (!needed && !holds(addon.after, earlier.id())) continue;
        const std::int64_t wave = earlier.wave() + (needed ? 1 : 0);
        if (highest == nullptr || wave > least) highest = &earlier, least = wave;
      }
      if (highest == nullptr || later.wave() >= least) continue;
      stage_.sink
          .report(diag::addon_wave_too_low, wave_place(later, *highest), addon.id, later.wave(), highest->id(),
                  highest->wave())
          .advise(fmt::format("put `{}` into wave {} or above", addon.id, least));
    }
  }

  Value done(const Value& like) {
    std::stable_sort(finished_.begin(), finished_.end(), [](const Finished& a, const Finished& b) {
      return std::pair(a.chosen.addon->order, a.id()) < std::pair(b.chosen.addon->order, b.id());
    });
    std::vector<Value> items;
    for (const Finished& finished : finished_) items.push_back(make_map(stage_.arena, finished.entries));
    return make_list(stage_.arena, items).with_origin(like.origin());
  }

 private:
  static bool holds(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  Span place_of(const Value& value) const { return stage_.origins[value.origin()].span; }

  // The place of the wave in the values, for one of the two add-ons.
  Span wave_place(const Finished& later, const Finished& earlier) const {
    for (const Finished* finished : {&later, &earlier}) {
      const Value* wave = finished->chosen.item != nullptr ? finished->chosen.item->find("wave") : nullptr;
      if (wave != nullptr) return place_of(*wave);
    }
    return later.chosen.where;
  }

  void lay_over(Finished& finished) {
    const Addon& addon = *finished.chosen.addon;
    for (const Entry& entry : finished.chosen.item->entries()) {
      const bool needs_chart =
          std::find(std::begin(kChartOnly), std::end(kChartOnly), entry.key.text()) != std::end(kChartOnly);
      const bool is_off =
          entry.value.is(Kind::Bool) && !entry.value.as_bool();  // `merge` has the default of the values schema
      if (needs_chart && !addon.has_chart && !is_off) {
        stage_.sink.report(diag::addon_without_chart, place_of(entry.key), entry.key.text(), addon.id);
      }
      set(finished.entries, entry.key, entry.value);
    }
    check_values(*finished.chosen.item, addon);
  }

  // `values` and `addon_values` are equivalent; `merge` needs one of them, and a map.
  void check_values(const Value& item, const Addon& addon) {
    const Value* own = item.find("values");
    const Value* raw = raw_values_ != nullptr && raw_values_->is(Kind::Map) ? raw_values_->find(addon.id) : nullptr;
    if (own != nullptr && raw != nullptr) {
      stage_.sink.report(diag::addon_values_twice, place_of(*own), addon.id)
          .also(place_of(*raw), "the other ones")
          .advise("keep one of them");
      return;
    }
    if (own == nullptr) own = raw;
    const Value* merge = item.find("merge");
    const bool merges = merge != nullptr && merge->is(Kind::Bool) && merge->as_bool();
    if (own != nullptr) check_chart_values(addon.id, *own, merges, stage_);
    if (merges && own == nullptr) stage_.sink.report(diag::addon_nothing_to_merge, place_of(*merge), addon.id);
    if (!merges || own == nullptr || !own->is(Kind::String)) return;
    // The text was parsed, and its errors reported, when the values were read.
    Sink unheard;
    Stage quiet{stage_.sources, unheard, stage_.arena, stage_.origins, stage_.limits};
    const FileId text = stage_.sources.add("addon_values." + std::string(addon.id), std::string(own->text()));
    const Value parsed = read_yaml(text, quiet, {ScalarRules::Kubernetes, TextSyntax::Yaml});
    if (unheard.failed() || parsed.is(Kind::Map) || parsed.is(Kind::Null)) return;
    stage_.sink.report(diag::addon_values_no_map, place_of(*own), addon.id,
                       parsed.is(Kind::List) ? "a list" : "a scalar");
  }

  void check_delivery(const Finished& finished) {
    if (!finished.chosen.addon->has_chart) return;
    const std::span<const Value> types = find(finished.entries, "management_on")->items();
    const bool in_management =
        std::any_of(types.begin(), types.end(), [&](const Value& type) { return type.text() == kubernetes_type_; });
    const bool is_manifests = delivery_ == "manifests";
    if (!is_manifests && (delivery_ != "caaph" || !in_management)) return;
    stage_.sink.report(diag::addon_not_deliverable, finished.chosen.where, finished.id(), delivery_)
        .note(is_manifests ? "it is a chart, and Cluster API itself only applies manifests"
                           : "it runs in the management cluster, and `caaph` only installs into workload clusters")
        .advise(finished.chosen.item == nullptr
                    ? "use another `addon_delivery`, or an add-on of your own with its `role`"
                    : "use another `addon_delivery`, or leave the add-on out");
  }

  void fill(std::vector<Entry>& entries, std::string_view key, const Value& value) {
    if (find(entries, key) == nullptr) entries.push_back({make_key(stage_.arena, key), value});
  }

  // Sets every key that an entry with its delivery can have, for templates.
  void fill_in(Finished& finished) {
    std::vector<Entry>& entries = finished.entries;
    set(entries, make_key(stage_.arena, "implied"), Value::boolean(finished.chosen.item == nullptr));
    set(entries, make_key(stage_.arena, "inline_values"), Value::boolean(only_manifests_));
    fill(entries, "privileged", Value::boolean(false));
    fill(entries, "manifests", make_list(stage_.arena, {}));
    if (!finished.chosen.addon->has_chart) return;
    for (const std::string_view flag : {"credentials", "merge"}) fill(entries, flag, Value::boolean(false));
    for (const std::string_view list : {"extra_charts", "management_on", "ignore_differences", "sync_options"}) {
      fill(entries, list, make_list(stage_.arena, {}));
    }
    std::vector<Value> charts;
    for (const Value& chart : find(entries, "extra_charts")->items()) {
      std::vector<Entry> own(chart.entries().begin(), chart.entries().end());
      for (const std::string_view key : {"repository", "version"}) {
        if (const Value* inherited = find(entries, key)) fill(own, key, *inherited);
      }
      charts.push_back(make_map(stage_.arena, own).with_origin(chart.origin()));
    }
    const OriginId origin = find(entries, "extra_charts")->origin();
    set(entries, make_key(stage_.arena, "extra_charts"), make_list(stage_.arena, charts).with_origin(origin));
  }

  static std::string with_version(std::string_view text, std::string_view version) {
    std::string path(text);
    const std::size_t at = path.find("{version}");
    if (at != std::string::npos) path.replace(at, std::string_view("{version}").size(), version);
    return path;
  }

  void attach_manifest(Finished& finished) {
    const Addon& addon = *finished.chosen.addon;
    const std::string version(find(finished.entries, "version")->text());
    const std::string path = with_version(addon.manifest, version);
    const std::size_t faults = stage_.sink.error_count();
    const std::optional<FileId> file = files_(path);
    if (!file && stage_.sink.error_count() != faults) return;  // it exists but can't be read
    if (!file) {
      stage_.sink.report(diag::missing_vendored_file, finished.chosen.where, addon.id, path)
          .advise(
              fmt::format("get it from {} and commit it as `{}`", with_version(addon.manifest_source, version), path));
      return;
    }
    read_yaml_documents(*file, stage_, {ScalarRules::Kubernetes, TextSyntax::Yaml});  // only its errors count
    const std::string_view text = stage_.sources.text(*file);
    const OriginId origin = stage_.origins.input({*file, 0, static_cast<std::uint32_t>(text.size())});
    set(finished.entries, make_key(stage_.arena, "manifest"),
        Value::string(make_text_view(stage_.arena, text)).with_origin(origin));
    set(finished.entries, make_key(stage_.arena, "manifest_path"), make_string(stage_.arena, path).with_origin(origin));
  }

  const Value* raw_values_;
  std::string_view minor_, delivery_, kubernetes_type_;
  const std::function<Value(const Value&)>& restamp_;
  const VendoredFiles& files_;
  bool only_manifests_;
  Stage& stage_;
  std::vector<Finished> finished_;
};

// Warns about values and settings of an add-on that isn't installed: they have no effect.
void warn_unused(const Value& values, std::string_view key, const Value& addons, Stage& stage) {
  const Value* section = values.find(key);
  if (section == nullptr || !section->is(Kind::Map)) return;
  for (const Entry& entry : section->entries()) {
    const bool listed = std::any_of(addons.items().begin(), addons.items().end(),
                                    [&](const Value& addon) { return addon.text_at("id") == entry.key.text(); });
    if (!listed) {
      stage.sink.report(diag::addon_values_for_unlisted, stage.origins[entry.key.origin()].span, key, entry.key.text())
          .advise("add it to `addons`, or remove its values");
    }
  }
}

}  // namespace

Value complete_addons(Value values, const AddonCatalogue& catalogue, const AddonInputs& inputs, Stage& stage) {
  const Value* listed = values.find("addons");
  if (listed == nullptr || !listed->is(Kind::List)) return values;
  Completion completion(values, inputs, stage);
  for (const ChosenAddon& chosen : choose_addons(values, catalogue, stage)) completion.add(chosen);
  completion.check_waves();
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  for (Entry& entry : entries) {
    if (entry.key.text() == "addons") entry.value = completion.done(*listed);
  }
  const Value completed = make_map(stage.arena, entries).with_origin(values.origin());
  warn_unused(completed, "addon_values", *completed.find("addons"), stage);
  return completed;
}

}  // namespace capwright::values
