// Pruning, null handling and defaulting in one walk, since each looks up the same keys. The server does them one after
// the other, and records the fields that it prunes.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
#include "crd/decode.h"

#include <cmath>
#include <fmt/format.h>

namespace capwright::crd {
namespace {

bool is_type_or_meta(std::string_view key) { return key == "apiVersion" || key == "kind" || key == "metadata"; }

// Whether a walk handed out the value that it was given.
bool is_same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is(Kind::Map)) return a.map_rep() == b.map_rep();
  if (a.is(Kind::List)) return a.list_rep() == b.list_rep();
  return true;
}

class Decoder {
 public:
  Decoder(const MetaShape& meta, Reporter& report) : meta_(meta), report_(report), arena_(report.stage().arena) {}

  Value object(const Node& root, const Place& place) {
    return map(&root, place, root.preserves_unknown ? Keep::All : Keep::Known, true);
  }

 private:
  // What happens to fields that no schema has.
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

  // Nothing when the member is dropped.
  std::optional<Value> member(const Node* node, const Place& place, Keep keep, bool is_object) {
    const Property* property = node != nullptr ? node->table.find(*place.key) : nullptr;
    const Node* below = property != nullptr && property->node != nullptr ? property->node : nullptr;
    if (is_object && is_type_or_meta(place.key->text())) {
      if (place.key->text() == "metadata") check_metadata(place);
      return place.value;
    }
    if (below == nullptr && node != nullptr) below = node->additional;
    if (below == nullptr && keep == Keep::Known) {
      report_unknown(node, place);
      return std::nullopt;
    }
    if (place.value.is(Kind::Null) && below != nullptr && !below->nullable) {
      if (below->has_default) return below->default_value;
      if (property != nullptr) return std::nullopt;
    }
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

  void report_unknown(const Node* node, const Place& place) {
    const std::string path = path_of(place);
    Finding& finding = report_.add_at(Phase::UnknownField, Reason::UnknownField, path,
                                      key_span_of(place, report_.stage().origins, report_.stage().sources),
                                      fmt::format("unknown field \"{}\"", path));
    if (node == nullptr) return;
    std::vector<std::string_view> known;
    for (const Property& property : node->table.properties) known.push_back(property.name.text());
    suggest(finding, place.key->text(), known);
  }

  void check_metadata(const Place& place) {
    if (meta_.object_meta != nullptr) check_native(*meta_.object_meta, place.value, place, path_of(place), report_);
  }

  const MetaShape& meta_;
  Reporter& report_;
  Arena& arena_;
};

std::string_view json_kind(const Value& value) {
  switch (value.kind()) {
    case Kind::Bool: return "bool";
    case Kind::Int:
    case Kind::Float: return "number";
    case Kind::String: return "string";
    case Kind::List: return "array";
    case Kind::Map: return "object";
    default: return "null";
  }
}

// What Go would call the type that a native field has.
std::string go_type(const Node& node) {
  switch (node.type) {
    case Type::Boolean: return "bool";
    case Type::Integer: return node.format == Format::Int32 ? "int32" : "int64";
    case Type::Number: return "float64";
    case Type::Array: return "[]" + (node.items != nullptr ? go_type(*node.items) : "interface {}");
    case Type::Object: return node.additional != nullptr ? "map[string]" + go_type(*node.additional) : "struct";
    case Type::String: return node.format == Format::Byte ? "[]byte" : "string";
    case Type::Any: return "interface {}";
  }
  CW_UNREACHABLE("a Type has no such value");
}

class NativeChecker {
 public:
  NativeChecker(std::string_view path, Reporter& report) : path_(path), report_(report) {}

  bool check(const Node& node, const Value& raw, const Place& place) {
    const Value value = normalized_number(raw);
    if (value.is(Kind::Null) || node.type == Type::Any) return check_any(node, value, place);
    switch (node.type) {
      case Type::Object: return value.is(Kind::Map) ? members(node, place) : mismatch(node, value, place);
      case Type::Array: return value.is(Kind::List) ? items(node, place) : mismatch(node, value, place);
      case Type::String: return value.is(Kind::String) ? text(node, place) : mismatch(node, value, place);
      case Type::Boolean: return value.is(Kind::Bool) || mismatch(node, value, place);
      case Type::Number: return value.is(Kind::Int) || value.is(Kind::Float) || mismatch(node, value, place);
      default: return is_integer(node, value) || mismatch(node, value, place);
    }
  }

 private:
  bool check_any(const Node& node, const Value& value, const Place& place) {
    if (!node.int_or_string || value.is(Kind::Null) || value.is(Kind::String) || value.is(Kind::Int)) return true;
    return fault(place, fmt::format("json: cannot unmarshal {} into field `{}` of type intstr.IntOrString",
                                    json_kind(value), path_of(place)));
  }

  static bool is_integer(const Node& node, const Value& value) {
    if (!value.is(Kind::Int)) return false;
    return node.format != Format::Int32 || (value.as_int() >= INT32_MIN && value.as_int() <= INT32_MAX);
  }

  bool members(const Node& node, const Place& place) {
    bool fits = true;
    for (const Entry& entry : place.value.entries()) {
      const Place member = Place::member(entry, place);
      const Property* property = node.table.find(entry.key);
      const Node* below = property != nullptr ? property->node : node.additional;
      if (below != nullptr) fits &= check(*below, entry.value, member);
      else if (!node.preserves_unknown) report_unknown(node, member);
    }
    return fits;
  }

  bool items(const Node& node, const Place& place) {
    bool fits = true;
    const std::span<const Value> items = place.value.items();
    for (std::uint32_t i = 0; i < items.size() && node.items != nullptr; ++i)
      fits &= check(*node.items, items[i], Place::item(items[i], i, place));
    return fits;
  }

  bool text(const Node& node, const Place& place) {
    const std::string_view text = place.value.text();
    if (node.format == Format::Byte) {
      const std::size_t fault_at = first_base64_fault(text);
      if (fault_at != std::string_view::npos)
        return fault(place, fmt::format("illegal base64 data at input byte {}", fault_at));
    }
    if (node.format == Format::DateTime && !matches_format(text, Format::DateTime))
      return fault(place, fmt::format("parsing time \"{}\": it is no RFC 3339 time", text));
    return true;
  }

  bool mismatch(const Node& node, const Value& value, const Place& place) {
    return fault(place, fmt::format("json: cannot unmarshal {} into Go struct field `{}` of type {}", json_kind(value),
                                    path_of(place), go_type(node)));
  }

  bool fault(const Place& place, std::string message) {
    report_.add(Phase::Decode, Reason::Malformed, place, std::move(message)).path = path_;
    return false;
  }

  void report_unknown(const Node& node, const Place& place) {
    const std::string path = path_of(place);
    std::vector<std::string_view> known;
    for (const Property& property : node.table.properties) known.push_back(property.name.text());
    Finding& finding = report_.add_at(Phase::UnknownField, Reason::UnknownField, path,
                                      key_span_of(place, report_.stage().origins, report_.stage().sources),
                                      fmt::format("unknown field \"{}\"", path));
    suggest(finding, place.key->text(), known);
  }

  std::string_view path_;
  Reporter& report_;
};

}  // namespace

Value decode(const Schema& schema, const MetaShape& meta, const Value& object, Reporter& report) {
  return Decoder(meta, report).object(*schema.root, Place{object});
}

bool check_native(const Node& node, const Value& value, const Place& place, std::string_view path, Reporter& report) {
  return NativeChecker(path, report).check(node, value, place);
}

Value normalized_number(const Value& value) {
  // Go writes a whole float64 below 1e21 without a point, and reads it back as an int64 when it fits.
  if (!value.is(Kind::Float) || value.as_float() != std::trunc(value.as_float())) return value;
  if (!(value.as_float() >= -0x1p63 && value.as_float() < 0x1p63)) return value;
  return Value::integer(static_cast<std::int64_t>(value.as_float())).with_origin(value.origin());
}

}  // namespace capwright::crd
