// Follows the schema: changes only fields of structures, never entries of maps or free-form data.
#include "admission/round_trip.h"

#include <algorithm>
#include <vector>

namespace capwright::admission {
namespace {

class Trip {
 public:
  Trip(const RoundTrip& does, Arena& arena) : does_(does), arena_(arena) {}

  Value run(const crd::Node& node, const Value& value) {
    if (value.is(Kind::List) && node.items != nullptr) return run_items(*node.items, value);
    if (value.is(Kind::Map) && !node.table.properties.empty()) return run_fields(node, value);
    if (value.is(Kind::Map) && node.additional != nullptr) return run_values(*node.additional, value);
    return value;
  }

 private:
  static bool is_structure(const crd::Node& node) {
    return node.type == crd::Type::Object && !node.table.properties.empty() && !node.preserves_unknown;
  }

  bool keeps(std::string_view name) const {
    return std::find(does_.keeps_empty.begin(), does_.keeps_empty.end(), name) != does_.keeps_empty.end();
  }

  Value run_items(const crd::Node& node, const Value& list) {
    std::vector<Value> items;
    for (const Value& item : list.items()) {
      // In Go structures, texts and numbers can't be null.
      const Value zero = does_.fills_required && item.is(Kind::Null) ? zero_of(node) : Value();
      items.push_back(zero.is(Kind::Null) ? run(node, item) : zero.with_origin(item.origin()));
    }
    return make_list(arena_, items).with_origin(list.origin());
  }

  Value run_values(const crd::Node& node, const Value& map) {
    std::vector<Entry> entries(map.entries().begin(), map.entries().end());
    for (Entry& entry : entries) entry.value = run(node, entry.value);
    return make_map(arena_, entries).with_origin(map.origin());
  }

  Value run_fields(const crd::Node& node, const Value& map) {
    std::vector<Entry> entries;
    for (const Entry& entry : map.entries()) {
      const crd::Property* property = node.table.find(entry.key);
      const bool known = property != nullptr && property->node != nullptr;
      const bool empty = entry.value.is(Kind::String) && entry.value.text().empty();
      if (does_.drops_empty && known && empty && !property->required && !keeps(entry.key.text())) continue;
      if (does_.fills_required && known && property->required && entry.value.is(Kind::Null)) continue;
      entries.push_back({entry.key, known ? run(*property->node, entry.value) : entry.value});
    }
    if (does_.fills_required) fill(node, map, entries);
    return make_map(arena_, entries).with_origin(map.origin());
  }

  void fill(const crd::Node& node, const Value& map, std::vector<Entry>& entries) {
    for (const crd::Property& property : node.table.properties) {
      if (!property.required || property.node == nullptr) continue;
      const Value* there = map.find(property.name.text());
      if (there != nullptr && !there->is(Kind::Null)) continue;
      const Value zero = zero_of(*property.node);
      if (!zero.is(Kind::Null)) entries.push_back({property.name, zero});
    }
  }

  // Null if the zero value doesn't appear in JSON: lists and maps are null pointers.
  Value zero_of(const crd::Node& node) {
    switch (node.type) {
      case crd::Type::String: return make_string(arena_, "");
      case crd::Type::Integer:
      case crd::Type::Number: return Value::integer(0);
      case crd::Type::Boolean: return Value::boolean(false);
      case crd::Type::Object: return is_structure(node) ? run(node, make_map(arena_, {})) : Value();
      default: return {};
    }
  }

  const RoundTrip& does_;
  Arena& arena_;
};

}  // namespace

Value round_trip(const crd::Node& root, const Value& object, const RoundTrip& does, Arena& arena) {
  if (!object.is(Kind::Map) || (!does.fills_required && !does.drops_empty)) return object;
  const Value name = make_key(arena, "spec");
  const crd::Property* spec = root.table.find(name);
  if (spec == nullptr || spec->node == nullptr) return object;
  std::vector<Entry> entries(object.entries().begin(), object.entries().end());
  bool found = false;
  Trip trip(does, arena);
  for (Entry& entry : entries) {
    if (entry.key.text() != "spec") continue;
    found = true;
    if (entry.value.is(Kind::Null)) entry.value = make_map(arena, {});
    entry.value = trip.run(*spec->node, entry.value);
  }
  if (!found && does.fills_required) entries.push_back({name, trip.run(*spec->node, make_map(arena, {}))});
  return make_map(arena, entries).with_origin(object.origin());
}

}  // namespace capwright::admission
