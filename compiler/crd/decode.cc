// Prunes, handles nulls and fills in defaults in one walk, because each step looks up the same keys. The server does
// them one after the other, and records the fields that it prunes.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
#include "crd/decode.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "crd/object_checks.h"

namespace capwright::crd {
namespace {

bool is_type_or_meta(std::string_view key) { return key == "apiVersion" || key == "kind" || key == "metadata"; }

// Whether a walk returned its input unchanged.
bool is_same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is(Kind::Map)) return a.map_rep() == b.map_rep();
  if (a.is(Kind::List)) return a.list_rep() == b.list_rep();
  return true;
}

class Decoder {
 public:
  Decoder(const Node& root, const MetaShape& meta, Reporter& report)
      : root_(root), meta_(meta), report_(report), arena_(report.stage().arena) {}

  Value object(const Place& place) {
    return map(&root_, place, root_.preserves_unknown ? Keep::All : Keep::Known, true);
  }

 private:
  // Whether to keep fields that aren't in the schema.
  enum class Keep : std::uint8_t { Known, All };

  Value value(const Node* node, const Place& place, Keep keep) {
    const Value& value = place.value;
    if (node != nullptr) keep = node->preserves_unknown ? Keep::All : Keep::Known;
    if (value.is(Kind::Map)) return map(node, place, keep, node != nullptr && node->embedded);
    if (value.is(Kind::List)) return list(node, place, keep);
    return normalized_number(value);
  }

  Value list(const Node* node, const Place& place, Keep keep) {
    const Node* item_node = node != nullptr ? node->items : nullptr;
    const std::span<const Value> items = place.value.items();
    std::vector<Value> changed;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const Place item = Place::item(items[i], i, place);
      Value after = value(item_node, item, keep);
      if (after.is(Kind::Null) && item_node != nullptr && !item_node->nullable && item_node->has_default)
        after = item_node->default_value;
      if (changed.empty() && is_same(after, items[i])) continue;
      if (changed.empty()) changed.assign(items.begin(), items.end());
      changed[i] = after;
    }
    return changed.empty() ? place.value : make_list(arena_, changed).with_origin(place.value.origin());
  }

  Value map(const Node* node, const Place& place, Keep keep, bool is_object) {
    const std::span<const Entry> entries = place.value.entries();
    std::vector<Entry> changed;
    bool is_changed = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::optional<Value> after = member(node, Place::member(entries[i], place), keep, is_object);
      if (!is_changed && after && is_same(*after, entries[i].value)) continue;
      if (!is_changed) changed.assign(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(i));
      is_changed = true;
      if (after) changed.push_back({entries[i].key, *after});
    }
    if (node != nullptr && node->table.defaults != 0) add_defaults(*node, place, changed, is_changed);
    return is_changed ? make_map(arena_, changed).with_origin(place.value.origin()) : place.value;
  }

  // Empty if the member is dropped.
  std::optional<Value> member(const Node* node, const Place& place, Keep keep, bool is_object) {
    const Property* property = node != nullptr ? node->table.find(*place.key) : nullptr;
    const Node* below = property != nullptr && property->node != nullptr ? property->node : nullptr;
    if (is_object && is_type_or_meta(place.key->text())) {
      if (place.key->text() == "metadata") check_metadata(place);
      return place.value;
    }
    if (below == nullptr && node != nullptr) below = node->additional;
    if (below == nullptr && keep == Keep::Known) {
      say_where_it_belongs(report_unknown_field(node, place, report_), place.key->text());
      return std::nullopt;
    }
    // Applies to arbitrary map keys, too (apiextensions' defaulting/prunenulls.go); nulls in lists are kept.
    if (place.value.is(Kind::Null) && below != nullptr && !below->nullable)
      return below->has_default ? std::optional(below->default_value) : std::nullopt;
    return value(below, place, keep);
  }

  void add_defaults(const Node& node, const Place& place, std::vector<Entry>& changed, bool& is_changed) {
    for (const Property& property : node.table.properties) {
      if (property.node == nullptr || !property.node->has_default) continue;
      const std::string_view name = property.name.text();
      if (place.value.find(name, property.name.text_rep()->hash) != nullptr) continue;
      if (!is_changed) changed.assign(place.value.entries().begin(), place.value.entries().end());
      is_changed = true;
      const Entry entry{property.name, property.node->default_value};
      changed.push_back({entry.key, value(property.node, Place::member(entry, place), Keep::Known)});
    }
  }

  void say_where_it_belongs(Finding& finding, std::string_view name) {
    constexpr std::size_t kMostHomes = 2;
    if (!finding.help.empty() || searches_ == kMostSearches) return;
    ++searches_;
    for (const std::string& home : homes_of(root_, name, kMostHomes)) {
      if (home.empty()) continue;
      finding.help +=
          finding.help.empty() ? fmt::format("`{}` is a field of `{}`", name, home) : fmt::format(" and of `{}`", home);
    }
  }

  void check_metadata(const Place& place) {
    if (meta_.object_meta != nullptr) check_native(*meta_.object_meta, place.value, place, path_of(place), report_);
  }

  static constexpr std::size_t kMostSearches = 20;  // for the places of unknown fields, in one object

  const Node& root_;
  const MetaShape& meta_;
  Reporter& report_;
  Arena& arena_;
  std::size_t searches_ = 0;
};

}  // namespace

Value decode(const Schema& schema, const MetaShape& meta, const Value& object, Reporter& report) {
  return Decoder(*schema.root, meta, report).object(Place{object});
}

Finding& report_unknown_field(const Node* node, const Place& place, Reporter& report) {
  const std::string path = path_of(place);
  Finding& finding = report.add_at(Phase::UnknownField, Reason::UnknownField, path,
                                   key_span_of(place, report.stage().origins, report.stage().sources),
                                   fmt::format("unknown field \"{}\"", path));
  finding.field = field_of(place);
  if (node == nullptr) return finding;
  std::vector<std::string_view> known;
  for (const Property& property : node->table.properties) known.push_back(property.name.text());
  suggest(finding, place.key->text(), known);
  return finding;
}

Value normalized_number(const Value& value) {
  // Go writes a whole float64 below 1e21 without a decimal point, and reads it back as an int64 if it fits.
  if (!value.is(Kind::Float) || value.as_float() != std::trunc(value.as_float())) return value;
  if (!(value.as_float() >= -0x1p63 && value.as_float() < 0x1p63)) return value;
  return Value::integer(static_cast<std::int64_t>(value.as_float())).with_origin(value.origin());
}

}  // namespace capwright::crd
