// Owners follow from kinds and references, by the catalogue of effects.
#include "plan/removal.h"

#include <algorithm>
#include <fmt/format.h>

#include "rotation/naming.h"
#include "text/kubectl.h"

namespace capwright::plan {
namespace {

using diff::Object;
using diff::ObjectPair;

std::string_view option_of(const Object& object, std::string_view key) {
  for (const char* where : {"metadata.annotations", "metadata.labels"}) {
    const Value* map = value_at(object.value, where);
    const auto text = map != nullptr && !key.empty() ? rotation::string_at(*map, key) : std::nullopt;
    if (text) return *text;
  }
  return {};
}

bool has_option(const DeliveryEffects& delivery, const Object& object, std::string_view option) {
  return !option.empty() && option_of(object, delivery.options).find(option) != std::string_view::npos;
}

// Whether two texts are equal but for the name of a pool in them, and digests of templates at their ends.
bool equal_but_name(std::string_view a, std::string_view b, std::string_view old_name, std::string_view new_name) {
  if (a == b) return true;
  std::string expected(a);
  for (std::size_t at = expected.find(old_name); at != std::string::npos;
       at = expected.find(old_name, at + new_name.size()))
    expected.replace(at, old_name.size(), new_name);
  return expected == b || (expected.size() == b.size() && expected.size() > rotation::kSuffix &&
                           rotation::base_of(expected) == rotation::base_of(b));
}

bool equal_but_name(const Value& a, const Value& b, std::string_view old_name, std::string_view new_name) {
  if (a.is(Kind::String) && b.is(Kind::String)) return equal_but_name(a.text(), b.text(), old_name, new_name);
  if (a.is(Kind::Map) && b.is(Kind::Map)) {
    return a.entries().size() == b.entries().size() &&
           std::all_of(a.entries().begin(), a.entries().end(), [&](const Entry& entry) {
             const Value* other = b.find(entry.key.text());
             return other != nullptr && equal_but_name(entry.value, *other, old_name, new_name);
           });
  }
  if (a.is(Kind::List) && b.is(Kind::List)) {
    return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
                      [&](const Value& x, const Value& y) { return equal_but_name(x, y, old_name, new_name); });
  }
  return json_equal(a, b);
}

}  // namespace

bool Removal::is_removed(const Object& object) const {
  if (diff_.kind == diff::ClusterDiff::Kind::Removed) return true;
  return std::any_of(diff_.pairs.begin(), diff_.pairs.end(), [&](const ObjectPair& pair) {
    return pair.kind == ObjectPair::Kind::Removed && pair.before == &object;
  });
}

std::string_view Removal::owner_kind(const Object& object) const {
  const KindEffects* known = effects_of(object.group, object.kind);
  if (known != nullptr && !known->owner.empty()) return known->owner;
  for (const Object& other : before_.objects()) {
    const KindEffects* adopter = effects_of(other.group, other.kind);
    const bool may_adopt =
        adopter != nullptr && !adopter->adopts.empty() && other.space == object.space && &other != &object;
    if (!may_adopt || object.kind.empty()) continue;
    if (refers_to(other.value, object.kind, object.name)) return adopter->adopts;
  }
  return {};
}

const Object* Removal::owner_of(const Object& object, std::string_view kind) const {
  const Value* spec = object.value.find("spec");
  const auto cluster = spec != nullptr ? rotation::string_at(*spec, "clusterName") : std::nullopt;
  const Object* found = nullptr;
  for (const Object& other : before_.objects()) {
    if (other.kind != kind || other.space != object.space) continue;
    const bool is_it =
        kind == "Cluster" && cluster ? other.name == *cluster : refers_to(other.value, object.kind, object.name);
    if (is_it) return &other;
    if (kind == "Cluster" && found == nullptr) found = &other;
  }
  return found;
}

bool Removal::has_tombstone(const Object& object) const {
  if (after_ == nullptr || !delivery_.reads_tombstones) return false;
  return std::any_of(after_->tombstones().begin(), after_->tombstones().end(), [&](const Object& each) {
    return each.kind == object.kind && each.group == object.group && each.space == object.space &&
           each.name == object.name;
  });
}

Fate Removal::fate_of(const Object& object) const {
  if (!delivery_.deletes || (after_ == nullptr && !deletes_folders()))
    return {false, false, std::string(after_ == nullptr ? why_folders_stay() : delivery_.why_kept)};
  const bool asks = has_option(delivery_, object, delivery_.asks);
  const std::string question = fmt::format("{} asks before it deletes it ({})", delivery_.name, delivery_.asks);
  if (has_tombstone(object)) return {true, false, asks ? question : ""};
  const std::string_view kind = delivery_.spares_owned ? owner_kind(object) : std::string_view();
  const bool keeps = has_option(delivery_, object, delivery_.keeps);
  if (!kind.empty()) {
    const Object* owner = owner_of(object, kind);
    if (owner != nullptr && is_removed(*owner) && fate_of(*owner).goes) return {true, false, asks ? question : ""};
    const std::string name = owner != nullptr ? fmt::format("{} `{}`", kind, owner->name) : fmt::format("a {}", kind);
    const std::string note = fmt::format("{}, and {} owns it", delivery_.why_kept, name);
    if (!keeps) return {false, false, note};
  }
  if (keeps) {
    return {false, true,
            fmt::format("{} leaves it in the management cluster ({})", delivery_.name,
                        delivery_.asks.empty() ? fmt::format("{}: {}", delivery_.options, delivery_.keeps)
                                               : std::string(delivery_.keeps))};
  }
  return {true, false, asks ? question : ""};
}

std::string delete_command(const Object& object) {
  return kubectl_delete(object.group, object.kind, object.name, object.space);
}

std::string delete_command_of_old_sets(const Object& before, const Object& after) {
  const Value* old_labels = value_at(before.value, "spec.selector.matchLabels");
  const Value* labels = value_at(after.value, "spec.selector.matchLabels");
  std::string selector;
  const auto add = [&](std::string_view key, std::string_view sign, const Value& value) {
    if (value.is(Kind::String))
      selector += fmt::format("{}{}{}{}", selector.empty() ? "" : ",", key, sign, value.text());
  };
  if (old_labels == nullptr || labels == nullptr) return {};
  for (const Entry& entry : old_labels->entries()) add(entry.key.text(), "=", entry.value);
  for (const Entry& entry : labels->entries()) {
    if (old_labels->find(entry.key.text()) == nullptr) add(entry.key.text(), "!=", entry.value);
  }
  return kubectl_delete_selected(before.group, "MachineSet", selector, before.space);
}

std::string_view renamed_to(const MachineSet& gone, const Machines& before, const Machines& after) {
  if (!gone.topology.empty()) return {};
  const Value* spec = gone.owner->value.find("spec");
  for (const MachineSet& come : after.sets()) {
    const bool is_new = come.topology.empty() && come.kind == gone.kind && before.find(come) == nullptr;
    const Value* other = is_new ? come.owner->value.find("spec") : nullptr;
    if (spec == nullptr || other == nullptr || come.owner->space != gone.owner->space) continue;
    // Templates and labels have the name of the pool without the cluster's in front of it, too.
    const auto common = std::mismatch(gone.owner->name.begin(), gone.owner->name.end(), come.owner->name.begin(),
                                      come.owner->name.end());
    const auto shared = static_cast<std::size_t>(common.first - gone.owner->name.begin());
    const std::size_t from = gone.owner->name.substr(0, shared).rfind('-') + 1;  // npos + 1 is 0
    if (equal_but_name(*spec, *other, gone.owner->name.substr(from), come.owner->name.substr(from)))
      return come.owner->name;
  }
  return {};
}

}  // namespace capwright::plan
