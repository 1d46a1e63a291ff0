// The catalogue as a table by kind and group.
#include "plan/effects.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>

#include "base/check.h"
#include "base/hash.h"
#include "lint/facts/catalogue.h"

namespace capwright::plan {
namespace {

using Role = KindEffects::Role;

constexpr std::array<std::pair<std::string_view, Effect>, 9> kEffects{{{"no-op", Effect::NoOp},
                                                                       {"in-place", Effect::InPlace},
                                                                       {"sync", Effect::Sync},
                                                                       {"scale", Effect::Scale},
                                                                       {"upgrade", Effect::Upgrade},
                                                                       {"roll", Effect::Roll},
                                                                       {"rejected", Effect::Rejected},
                                                                       {"second-set", Effect::SecondSet},
                                                                       {"unknown", Effect::Unknown}}};
constexpr std::array<std::pair<std::string_view, Role>, 7> kRoles{{{"", Role::Object},
                                                                   {"cluster", Role::Cluster},
                                                                   {"control-plane", Role::ControlPlane},
                                                                   {"pool", Role::Pool},
                                                                   {"pool-part", Role::PoolPart},
                                                                   {"template", Role::Template},
                                                                   {"release", Role::Release}}};

constexpr std::array<std::pair<std::string_view, MachineScope>, 3> kMachineScopes{
    {{"", MachineScope::All}, {"joined", MachineScope::Joined}, {"first", MachineScope::First}}};

template <class Table>
auto named(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == name; });
  CW_CHECK(found != table.end(), "the catalogue of effects uses its own words");
  return found->second;
}

diff::PathPattern pattern_of(const Value& text) {
  std::string why;
  auto pattern = diff::PathPattern::read(text.text(), why);
  CW_CHECK(pattern.has_value(), "paths of the catalogue can be read");
  return std::move(*pattern);
}

class Table {
 public:
  Table() : sources_(*lint::effect_facts().find("sources")) {
    any_ = entries(*lint::effect_facts().find("any"), "");
    for (const Entry& entry : lint::effect_facts().find("kinds")->entries()) add(entry.key.text(), entry.value);
    for (const Entry& entry : lint::effect_facts().find("deliveries")->entries()) {
      const Value& value = entry.value;
      deliveries_[entry.key.text()] = {.name = value.text_at("name"),
                                       .deletes = value.find("deletes") != nullptr,
                                       .applies_all = value.find("applies_all") != nullptr,
                                       .spares_owned = value.find("spares_owned") != nullptr,
                                       .reads_tombstones = value.find("tombstones") != nullptr,
                                       .options = value.text_at("options"),
                                       .keeps = value.text_at("keeps"),
                                       .asks = value.text_at("asks"),
                                       .why_kept = value.text_at("why_kept"),
                                       .hold = value.text_at("hold"),
                                       .cluster_first = value.text_at("cluster_first"),
                                       .why_folder_kept = value.text_at("why_folder_kept")};
    }
  }

  const DeliveryEffects& delivery(std::string_view name) const {
    const auto found = deliveries_.find(name);
    CW_CHECK(found != deliveries_.end(), "the catalogue knows every delivery");
    return found->second;
  }

  const KindEffects* find(std::string_view group, std::string_view kind) const {
    const auto found = kinds_.find(std::make_pair(kind, group));
    return found == kinds_.end() ? nullptr : &found->second;
  }
  const std::vector<FieldEffect>& any() const { return any_; }

 private:
  void add(std::string_view name, const Value& value) {
    const std::size_t dot = name.find('.');
    const std::string_view group = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    KindEffects& kind = kinds_[{name.substr(0, dot), group}];
    kind.role = named(kRoles, value.text_at("is"));
    kind.by = value.text_at("by");
    kind.replicas = value.text_at("replicas");
    kind.version = value.text_at("version");
    kind.managed = value.find("managed") != nullptr;
    kind.clamps = value.find("clamps") != nullptr;
    kind.paused = value.text_at("paused");
    kind.owner = value.text_at("owner");
    kind.adopts = value.text_at("adopts");
    kind.finalizer = value.text_at("finalizer");
    kind.keep = value.text_at("keep");
    kind.why_not_kept = value.text_at("why_not_kept");
    const std::string_view source = value.text_at("source");
    if (const Value* fields = value.find("fields")) kind.fields = entries(*fields, source);
    if (const Value* readers = value.find("read_by")) kind.readers = entries(*readers, source);
  }

  std::vector<FieldEffect> entries(const Value& list, std::string_view source) const {
    std::vector<FieldEffect> all;
    for (const Value& item : list.items()) all.push_back(entry(item, source));
    return all;
  }

  FieldEffect entry(const Value& item, std::string_view source) const {
    FieldEffect read;
    if (const Value* at = item.find("at"); at != nullptr && at->is(Kind::String)) read.at.push_back(pattern_of(*at));
    else if (at != nullptr) {
      for (const Value& path : at->items()) read.at.push_back(pattern_of(path));
    }
    if (const Value* when = item.find("when")) {
      for (const Entry& each : when->entries()) read.when.emplace_back(each.key.text(), each.value.text());
    }
    read.reader = item.text_at("kind");
    read.default_value = item.text_at("default");
    read.machines = named(kMachineScopes, item.text_at("machines"));
    read.effect = named(kEffects, item.text_at("effect"));
    read.note = item.text_at("note");
    const std::string_view own = item.text_at("source");
    const Value* cited = sources_.find(own.empty() ? source : own);
    CW_CHECK(cited != nullptr, "every entry of the catalogue names its source");
    read.source = cited->text();
    return read;
  }

  const Value& sources_;
  std::vector<FieldEffect> any_;
  using Name = std::pair<std::string_view, std::string_view>;  // kind and group
  struct Digest {
    std::size_t operator()(const Name& name) const { return hash_text(name.first) * 31 + hash_text(name.second); }
  };
  std::unordered_map<Name, KindEffects, Digest> kinds_;
  std::map<std::string_view, DeliveryEffects> deliveries_;
};

const Table& table() {
  static const Table known;
  return known;
}

const FieldEffect* first_of(const std::vector<FieldEffect>& entries, const diff::Path& path, const Value& object,
                            const Value* only) {
  for (const FieldEffect& entry : entries) {
    const bool is_here =
        std::any_of(entry.at.begin(), entry.at.end(), [&](const auto& pattern) { return pattern.matches(path); });
    const bool is_default = only != nullptr && only->is(Kind::String) && only->text() == entry.default_value;
    if (is_here && (entry.default_value.empty() || is_default) && applies(entry, object)) return &entry;
  }
  return nullptr;
}

}  // namespace

const DeliveryEffects& effects_of(std::string_view delivery) { return table().delivery(delivery); }

const KindEffects* effects_of(std::string_view group, std::string_view kind) { return table().find(group, kind); }

const FieldEffect* effect_at(const KindEffects* kind, const diff::Path& path, const Value& object, const Value* only) {
  const FieldEffect* own = kind != nullptr ? first_of(kind->fields, path, object, only) : nullptr;
  return own != nullptr ? own : first_of(table().any(), path, object, only);
}

bool applies(const FieldEffect& entry, const Value& object) {
  return std::all_of(entry.when.begin(), entry.when.end(), [&](const auto& condition) {
    const Value* value = value_at(object, condition.first);
    if (value == nullptr) return false;
    if (value->is(Kind::Bool)) return condition.second == (value->as_bool() ? "true" : "false");
    return value->is(Kind::String) && value->text() == condition.second;
  });
}

const Value* value_at(const Value& object, std::string_view path) {
  const Value* here = &object;
  while (here != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    here = here->find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return here;
}

std::string_view effect_name(Effect effect) {
  return std::find_if(kEffects.begin(), kEffects.end(), [&](const auto& row) { return row.second == effect; })->first;
}

}  // namespace capwright::plan
