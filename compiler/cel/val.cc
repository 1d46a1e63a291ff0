// Containers: document data, read through its schema on each access, and results of expressions. Also reads scalars.
#include "cel/val.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "text/base64.h"

namespace capwright::cel {

// The payload of a List or Map that isn't document data.
struct ListVal {
  std::span<const Val> items;
};
struct MapVal {
  std::span<const Pair> pairs;  // sorted by key
};

Val data_val(const Value& data, TypeKind kind, const Schema* schema, Arena& arena) {
  Val v = Val::with_pointer(kind, kind == TypeKind::Dyn ? arena.make<Value>(data) : nullptr);
  if (kind == TypeKind::List) v.payload_.list = data.list_rep();
  if (kind == TypeKind::Map) v.payload_.map = data.map_rep();
  v.data_ = true;
  v.extra_.schema = schema;
  return v;
}

namespace {

constexpr double kWholeLimit = 9223372036854775808.0;  // 2^63

bool is_nan(const Val& v) { return v.is(TypeKind::Double) && std::isnan(v.as_double()); }

// Equal keys compare as 0: numbers by value, then by kind. NaN comes last.
int compare_keys(const Val& a, const Val& b) {
  if (const std::optional<int> order = compare(a, b)) return *order;
  if (a.kind() != b.kind()) return a.kind() < b.kind() ? -1 : 1;
  return (is_nan(a) ? 1 : 0) - (is_nan(b) ? 1 : 0);
}

Val unfit(std::string_view expected, const Value& data, Arena& arena) {
  return make_error("expected " + std::string(expected) + ", found " + std::string(kind_name(data.kind())), arena);
}

Val misread(std::string_view expected, const Value& data, Arena& arena) {
  const Val shown = Val::string(data.text_rep()).with_taint(data.tainted());
  return make_error(to_text(shown) + " isn't a valid " + std::string(expected), arena);
}

Val scalar_as_it_is(const Value& data, Arena& arena) {
  switch (data.kind()) {
    case Kind::Null: return Val::null();
    case Kind::Bool: return Val::boolean(data.as_bool());
    case Kind::Int: return Val::integer(data.as_int());
    case Kind::Float: return Val::floating(data.as_float());
    case Kind::String: return Val::string(data.text_rep());
    case Kind::List: return data_val(data, TypeKind::List, nullptr, arena);
    case Kind::Map: return data_val(data, TypeKind::Map, nullptr, arena);
    default: return make_error("the data is not known", arena);
  }
}

Val read_text(const Value& data, Shape shape, Arena& arena) {
  if (!data.is(Kind::String)) return unfit("string", data, arena);
  const std::string_view text = data.text();
  if (shape == Shape::Duration) {
    const auto nanos = parse_open_api_duration(text);
    return nanos ? Val::duration(*nanos) : misread("duration", data, arena);
  }
  if (shape == Shape::Date || shape == Shape::DateTime) {
    const auto instant = shape == Shape::Date ? parse_date(text) : parse_open_api_date_time(text);
    return instant ? Val::timestamp(*instant) : misread("date", data, arena);
  }
  if (shape == Shape::Bytes) {
    const std::optional<std::string> bytes = from_base64(text, kBase64Url);
    return bytes ? make_bytes(*bytes, arena) : misread("base64", data, arena);
  }
  return Val::string(data.text_rep());
}

Val read_number(const Value& data, Shape shape, Arena& arena) {
  if (shape == Shape::Number) {
    if (data.is(Kind::Int)) return Val::floating(static_cast<double>(data.as_int()));
    return data.is(Kind::Float) ? Val::floating(data.as_float()) : unfit("number", data, arena);
  }
  if (data.is(Kind::Int)) return Val::integer(data.as_int());
  // A manifest's `2.0` reaches the server as 2.
  const bool whole =
      data.is(Kind::Float) && std::trunc(data.as_float()) == data.as_float() && std::abs(data.as_float()) < kWholeLimit;
  return whole ? Val::integer(static_cast<std::int64_t>(data.as_float())) : unfit("integer", data, arena);
}

Val read_shape(const Value& data, const Schema& schema, Arena& arena) {
  switch (schema.shape) {
    case Shape::IntOrString:
      if (data.is(Kind::Int)) return Val::integer(data.as_int());
      return data.is(Kind::String) ? Val::string(data.text_rep()) : unfit("integer or string", data, arena);
    case Shape::Object:
    case Shape::Map:
      return data.is(Kind::Map) ? data_val(data, TypeKind::Map, &schema, arena) : unfit("map", data, arena);
    case Shape::List:
      return data.is(Kind::List) ? data_val(data, TypeKind::List, &schema, arena) : unfit("list", data, arena);
    case Shape::Integer:
    case Shape::Number: return read_number(data, schema.shape, arena);
    case Shape::Boolean: return data.is(Kind::Bool) ? Val::boolean(data.as_bool()) : unfit("boolean", data, arena);
    case Shape::Opaque: return data_val(data, TypeKind::Dyn, &schema, arena);
    default: return read_text(data, schema.shape, arena);
  }
}

const Map& map_of_val(const Value& data) { return *data.map_rep(); }

}  // namespace

Val from_data(const Value& data, const Schema* schema, Arena& arena) {
  Val val;
  if (schema == nullptr) val = scalar_as_it_is(data, arena);
  else if (data.is(Kind::Null) && schema->nullable) val = Val::null();
  else if (data.is(Kind::Null)) val = make_error("the data is null, and its schema is not nullable", arena);
  else val = read_shape(data, *schema, arena);
  return val.with_origin(data.origin()).with_taint(data.tainted());
}

Value Val::data() const {
  CW_CHECK(data_, "only data has data");
  if (kind_ == TypeKind::Dyn) return *static_cast<const Value*>(payload_.pointer);
  const Value value = kind_ == TypeKind::List ? Value::list(payload_.list) : Value::map(payload_.map);
  return value.with_origin(origin_).with_taint(tainted_);
}

std::size_t Val::size() const {
  if (data_) return kind_ == TypeKind::List ? data().items().size() : map_of_val(data()).size;
  return kind_ == TypeKind::List ? static_cast<const ListVal*>(payload_.pointer)->items.size()
                                 : static_cast<const MapVal*>(payload_.pointer)->pairs.size();
}

Val Val::item(std::size_t index, Arena& arena) const {
  if (!data_) return static_cast<const ListVal*>(payload_.pointer)->items[index];
  const Schema* schema = extra_.schema;
  if (schema != nullptr && schema->items == nullptr) return make_error("the schema of the list has no `items`", arena);
  return from_data(data().items()[index], schema == nullptr ? nullptr : schema->items, arena);
}

std::optional<Val> Val::find(std::string_view key, Arena& arena) const {
  if (!data_) return find(make_string(key, arena), arena);
  const Schema* schema = extra_.schema;
  std::string name;
  if (schema != nullptr && schema->has_fields) {
    if (key.find("__") != std::string_view::npos) {
      if (!unescape(key, name)) return std::nullopt;
      key = name;
    }
  }
  const Value* value = data().find(key);
  if (value == nullptr) return std::nullopt;
  if (schema == nullptr) return from_data(*value, nullptr, arena);
  if (schema->has_fields && value->is(Kind::Null)) return std::nullopt;
  const Schema* below = schema->at(key);
  if (below == nullptr) return std::nullopt;
  return from_data(*value, below, arena);
}

std::optional<Val> Val::find(const Val& key, Arena& arena) const {
  if (data_) {
    if (key.is(TypeKind::String)) return find(key.text(), arena);
    if (extra_.schema == nullptr) return std::nullopt;
    return no_such_overload(arena);
  }
  const std::span<const Pair> pairs = static_cast<const MapVal*>(payload_.pointer)->pairs;
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), key,
                                      [](const Pair& pair, const Val& k) { return compare_keys(pair.key, k) < 0; });
  if (found == pairs.end() || is_nan(key) || compare_keys(found->key, key) != 0) return std::nullopt;
  return found->value;
}

std::span<const Val> Val::keys(Arena& arena) const {
  std::vector<Val> keys;
  if (!data_) {
    for (const Pair& pair : static_cast<const MapVal*>(payload_.pointer)->pairs) keys.push_back(pair.key);
    return arena.copy(keys);
  }
  const Schema* schema = extra_.schema;
  std::string escaped;
  for (const Entry& entry : data().entries()) {
    if (!entry.key.is(Kind::String) || (schema != nullptr && schema->at(entry.key.text()) == nullptr)) continue;
    const bool escapes = schema != nullptr && schema->has_fields && escape(entry.key.text(), escaped);
    const Val key = escapes ? make_string(escaped, arena) : Val::string(entry.key.text_rep());
    keys.push_back(key.with_origin(entry.key.origin()));
  }
  return arena.copy(keys);
}

Val make_string(std::string_view bytes, Arena& arena) { return Val::string(make_text(arena, bytes)); }
Val make_bytes(std::string_view bytes, Arena& arena) { return Val::bytes(make_text(arena, bytes)); }

Val make_list(std::span<const Val> items, Arena& arena, const Schema* list_type) {
  Val v = Val::with_pointer(TypeKind::List, arena.make<ListVal>(arena.copy(items)));
  v.extra_.schema = list_type;
  return v;
}

Val make_string_list(std::span<const std::string> items, Arena& arena) {
  std::vector<Val> texts;
  texts.reserve(items.size());
  for (const std::string& item : items) texts.push_back(make_string(item, arena));
  return make_list(texts, arena);
}

Val make_map(std::span<const Pair> pairs, Arena& arena) {
  std::vector<Pair> sorted(pairs.begin(), pairs.end());
  std::reverse(sorted.begin(), sorted.end());
  const auto less = [](const Pair& a, const Pair& b) { return compare_keys(a.key, b.key) < 0; };
  const auto same_key = [](const Pair& a, const Pair& b) { return compare_keys(a.key, b.key) == 0; };
  std::stable_sort(sorted.begin(), sorted.end(), less);
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same_key), sorted.end());
  return Val::with_pointer(TypeKind::Map, arena.make<MapVal>(arena.copy(sorted)));
}

Val make_optional(const Val& value, Arena& arena) {
  return Val::with_pointer(TypeKind::Optional, arena.make<Val>(value)).with_taint(value.tainted());
}

Val make_error(std::string_view message, Arena& arena) {
  return Val::error(arena.make<Fault>(0u, 0u, arena.text(message), std::span<const Val>(), false));
}

Val no_such_overload(Arena& arena) { return make_error("no function takes values of these types", arena); }

}  // namespace capwright::cel
