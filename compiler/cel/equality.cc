// `==`, ordering and concatenation of lists, including Kubernetes' lists of type set and map.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "cel/bounds.h"
#include "cel/quantity.h"
#include "cel/semver.h"
#include "cel/url.h"
#include "cel/val.h"

namespace capwright::cel {
namespace {

int sign(bool less, bool greater) {
  if (less) return -1;
  if (greater) return 1;
  return 0;
}

bool is_number(const Val& v) { return v.is(TypeKind::Int) || v.is(TypeKind::Uint) || v.is(TypeKind::Double); }

// The API server's rule: a whole number becomes a double, unless the double is out of its range.
int compare_double(double d, const Val& whole) {
  if (whole.is(TypeKind::Int)) {
    if (d < -9223372036854775808.0) return -1;
    if (d > 9223372036854775808.0) return 1;
    const double other = static_cast<double>(whole.as_int());
    return sign(d<other, d> other);
  }
  if (d < 0) return -1;
  if (d > 18446744073709551616.0) return 1;
  const double other = static_cast<double>(whole.as_uint());
  return sign(d<other, d> other);
}

int compare_int_uint(std::int64_t i, std::uint64_t u) {
  if (i < 0) return -1;
  const auto unsigned_i = static_cast<std::uint64_t>(i);
  return sign(unsigned_i<u, unsigned_i> u);
}

std::optional<int> compare_numbers(const Val& a, const Val& b) {
  if ((a.is(TypeKind::Double) && std::isnan(a.as_double())) || (b.is(TypeKind::Double) && std::isnan(b.as_double()))) {
    return std::nullopt;
  }
  if (a.is(TypeKind::Double)) {
    if (!b.is(TypeKind::Double)) return compare_double(a.as_double(), b);
    return sign(a.as_double() < b.as_double(), a.as_double() > b.as_double());
  }
  if (b.is(TypeKind::Double)) return -compare_double(b.as_double(), a);
  if (a.is(TypeKind::Int)) {
    if (b.is(TypeKind::Int)) return sign(a.as_int() < b.as_int(), a.as_int() > b.as_int());
    return compare_int_uint(a.as_int(), b.as_uint());
  }
  if (b.is(TypeKind::Int)) return -compare_int_uint(b.as_int(), a.as_uint());
  return sign(a.as_uint() < b.as_uint(), a.as_uint() > b.as_uint());
}

// A text that is the same for equal scalars; an error for containers.
bool scalar_key(const Val& v, std::string& key) {
  if (v.is(TypeKind::List) || v.is(TypeKind::Map) || v.is_error()) return false;
  key = to_text(v.with_taint(false), static_cast<std::size_t>(-2));
  return true;
}

// The identity of an element in a list of type map: the values of its keys.
bool map_key(const Val& element, std::span<const std::string_view> names, std::string& key, Arena& arena) {
  key.clear();
  if (!element.is(TypeKind::Map)) return false;
  std::string escaped, part;
  for (const std::string_view name : names) {
    const std::optional<Val> value = element.find(escape(name, escaped) ? std::string_view(escaped) : name, arena);
    if (value && !scalar_key(*value, part)) return false;
    key += value ? part : "-";
    key += '\n';
  }
  return true;
}

Val sets_of_scalars_only(Arena& arena) {
  return make_error("a list of type set is compared and added to by its scalars, and this one holds others", arena);
}

Val equal_texts(std::string_view a, std::string_view b, Bounds& bounds) {
  if (a.size() == b.size()) bounds.step(a.size() / kBytesOfStep);
  return Val::boolean(a == b);
}

// Counts one step for each part of the value.
void step_through(const Value& data, Bounds& bounds) {
  if (!bounds.step()) return;
  if (data.is(Kind::List)) {
    for (const Value& item : data.items()) step_through(item, bounds);
  } else if (data.is(Kind::Map)) {
    for (const Entry& entry : data.entries()) step_through(entry.value, bounds);
  }
}

Val equal_data(const Value& a, const Value& b, Bounds& bounds) {
  step_through(a, bounds);
  return Val::boolean(json_equal(a, b));
}

Val equal_sets(const Val& a, const Val& b, Bounds& bounds) {
  Arena& arena = bounds.arena();
  std::set<std::string> keys, seen;
  std::string key;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!scalar_key(a.item(i, arena), key)) return sets_of_scalars_only(arena);
    keys.insert(key);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!scalar_key(b.item(i, arena), key)) return sets_of_scalars_only(arena);
    if (!keys.contains(key)) return Val::boolean(false);
    seen.insert(key);
  }
  return Val::boolean(seen.size() == keys.size());
}

Val equal_map_lists(const Val& a, const Val& b, Bounds& bounds) {
  Arena& arena = bounds.arena();
  const std::span<const std::string_view> names = a.schema()->list_map_keys;
  std::map<std::string, Val> elements;
  std::set<std::string> seen;
  std::string key;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Val element = a.item(i, arena);
    if (!map_key(element, names, key, arena)) return no_such_overload(arena);
    elements[key] = element;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Val element = b.item(i, arena);
    if (!map_key(element, names, key, arena)) return no_such_overload(arena);
    const auto found = elements.find(key);
    if (found == elements.end()) return Val::boolean(false);
    const Val same = equal(found->second, element, bounds);
    if (!same.is_true()) return same;
    seen.insert(key);
  }
  return Val::boolean(seen.size() == elements.size());
}

Val equal_lists(const Val& a, const Val& b, Bounds& bounds) {
  Arena& arena = bounds.arena();
  if (a.size() != b.size()) return Val::boolean(false);
  const Schema* schema = a.schema();
  if (schema != nullptr && schema->list_type == ListType::Set) return equal_sets(a, b, bounds);
  if (schema != nullptr && schema->list_type == ListType::Map) return equal_map_lists(a, b, bounds);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Val same = equal(a.item(i, arena), b.item(i, arena), bounds);
    if (!same.is_true()) return same;
  }
  return Val::boolean(true);
}

// Fields that aren't in the schema are compared as raw data.
Val equal_fields(const Val& a, const Val& b, Bounds& bounds) {
  Arena& arena = bounds.arena();
  for (const Entry& entry : a.data().entries()) {
    const std::string_view name = entry.key.text();
    const bool known = a.schema()->at(name) != nullptr;
    std::string escaped(name);
    if (a.schema()->has_fields) escape(name, escaped);
    if (!known) {
      const Value* other = b.is_data() ? b.data().find(name) : nullptr;
      if (other != nullptr && !equal_data(entry.value, *other, bounds).is_true()) return Val::boolean(false);
      continue;
    }
    const std::optional<Val> x = a.find(escaped, arena), y = b.find(escaped, arena);
    if (x.has_value() != y.has_value()) return Val::boolean(false);
    if (!x) continue;
    const Val same = equal(*x, *y, bounds);
    if (!same.is_true()) return same;
  }
  return Val::boolean(true);
}

Val equal_maps(const Val& a, const Val& b, Bounds& bounds) {
  Arena& arena = bounds.arena();
  if (a.size() != b.size()) return Val::boolean(false);
  if (a.schema() != nullptr) return equal_fields(a, b, bounds);
  for (const Val& key : a.keys(arena)) {
    const std::optional<Val> other = b.find(key, arena);
    if (!other) return Val::boolean(false);
    const Val same = equal(*a.find(key, arena), *other, bounds);
    if (same.is_false()) return same;
  }
  return Val::boolean(true);
}

Val equal_optionals(const Val& a, const Val& b, Bounds& bounds) {
  if (a.inner() == nullptr || b.inner() == nullptr) return Val::boolean(a.inner() == b.inner());
  return equal(*a.inner(), *b.inner(), bounds);
}

Val equal_of_kind(const Val& a, const Val& b, Bounds& bounds) {
  switch (a.kind()) {
    case TypeKind::String:
    case TypeKind::Bytes: return equal_texts(a.text(), b.text(), bounds);
    case TypeKind::Bool: return Val::boolean(a.as_bool() == b.as_bool());
    case TypeKind::Duration: return Val::boolean(a.as_int() == b.as_int());
    case TypeKind::Timestamp: return Val::boolean(a.as_instant() == b.as_instant());
    case TypeKind::List: return equal_lists(a, b, bounds);
    case TypeKind::Map: return equal_maps(a, b, bounds);
    case TypeKind::Type: return Val::boolean(runtime_name(a.as_type()->kind) == runtime_name(b.as_type()->kind));
    case TypeKind::Optional: return equal_optionals(a, b, bounds);
    case TypeKind::Ip: return Val::boolean(a.network().address == b.network().address);
    case TypeKind::Cidr: return Val::boolean(a.network() == b.network());
    case TypeKind::Quantity: return Val::boolean(compare(a.as_quantity(), b.as_quantity()) == 0);
    case TypeKind::Url: return Val::boolean(to_text(a.as_url()) == to_text(b.as_url()));
    case TypeKind::Semver: return Val::boolean(compare(a.as_semver(), b.as_semver()) == 0);
    case TypeKind::Format: return Val::boolean(&a.as_format() == &b.as_format());
    case TypeKind::Dyn: return equal_data(a.data(), b.data(), bounds);
    default: return Val::boolean(true);
  }
}

// Kinds for which the API server rejects a comparison with another kind.
bool refuses_others(const Val& v) {
  switch (v.kind()) {
    case TypeKind::List:
    case TypeKind::Map: return v.is_data() && v.schema() != nullptr;
    case TypeKind::Ip:
    case TypeKind::Cidr:
    case TypeKind::Quantity:
    case TypeKind::Url:
    case TypeKind::Semver:
    case TypeKind::Format: return true;
    default: return false;
  }
}

}  // namespace

Val equal(const Val& a, const Val& b, Bounds& bounds) {
  // Lists that share elements can have more of them than fit into memory.
  if (!bounds.step()) return make_error("the evaluation is over", bounds.arena());
  if (a.is_error()) return a;
  if (b.is_error()) return b;
  if (a.is(TypeKind::Null) || b.is(TypeKind::Null)) return Val::boolean(a.kind() == b.kind());
  if (is_number(a) && is_number(b)) return Val::boolean(compare_numbers(a, b) == 0);
  if (a.kind() == b.kind()) return equal_of_kind(a, b, bounds);
  return refuses_others(a) ? no_such_overload(bounds.arena()) : Val::boolean(false);
}

std::optional<int> compare(const Val& a, const Val& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case TypeKind::String:
    case TypeKind::Bytes: return sign(a.text() < b.text(), b.text() < a.text());
    case TypeKind::Bool: return sign(a.as_bool() < b.as_bool(), b.as_bool() < a.as_bool());
    case TypeKind::Duration: return sign(a.as_int() < b.as_int(), b.as_int() < a.as_int());
    case TypeKind::Timestamp: return sign(a.as_instant() < b.as_instant(), b.as_instant() < a.as_instant());
    default: return std::nullopt;
  }
}

Val concatenate(const Val& x, const Val& y, Bounds& bounds) {
  Arena& arena = bounds.arena();
  const Schema* schema = x.schema();
  const ListType type = schema == nullptr ? ListType::Atomic : schema->list_type;
  constexpr std::size_t kBytesOfPlace = 128;
  const std::size_t bytes_each = sizeof(Val) + (type == ListType::Atomic ? 0 : kBytesOfPlace);
  if (!bounds.has_room((x.size() + y.size()) * bytes_each)) return make_error("the evaluation is over", arena);
  std::vector<Val> items;
  items.reserve(x.size() + y.size());
  std::map<std::string, std::size_t> places;
  std::string key;
  const auto keyed = [&](const Val& item) {
    if (type == ListType::Set) return scalar_key(item, key);
    return type == ListType::Atomic || map_key(item, schema->list_map_keys, key, arena);
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    items.push_back(x.item(i, arena));
    if (!keyed(items.back())) return type == ListType::Set ? sets_of_scalars_only(arena) : no_such_overload(arena);
    if (type != ListType::Atomic) places[key] = i;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Val item = y.item(i, arena);
    if (!keyed(item)) return type == ListType::Set ? sets_of_scalars_only(arena) : no_such_overload(arena);
    const auto found = type == ListType::Atomic ? places.end() : places.find(key);
    if (found == places.end()) {
      items.push_back(item);
      if (type == ListType::Set) places[key] = items.size() - 1;
    } else if (type == ListType::Map) {
      items[found->second] = item;
    }
  }
  return make_list(items, arena, type == ListType::Atomic ? nullptr : schema);
}

}  // namespace capwright::cel
