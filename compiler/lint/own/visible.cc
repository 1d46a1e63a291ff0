// Copies only values that contain a secret.
#include <algorithm>

#include "lint/own/inputs.h"

namespace capwright::lint::own {
namespace {

// Copies a value; `replace` returns the new value of a scalar.
template <class Replace>
Value copy_of(const Value& value, bool keeps_origins, const Replace& replace, Arena& arena) {
  const OriginId origin = keeps_origins ? value.origin() : OriginId::None;
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(copy_of(item, keeps_origins, replace, arena));
    return make_list(arena, items).with_origin(origin);
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries())
      entries.push_back({entry.key, copy_of(entry.value, keeps_origins, replace, arena)});
    return make_map(arena, entries).with_origin(origin);
  }
  return (replace(value) ? make_string(arena, "<secret>") : value.with_taint(false)).with_origin(origin);
}

bool overlap(const Span& a, const Span& b) { return a.file == b.file && a.begin < b.end && b.begin < a.end; }

}  // namespace

Value visible(const Object& object, Arena& arena) {
  const Document& document = *object.root().document();
  const std::vector<Span>& secrets = object.cluster().secrets();
  const auto is_inside = [&](const Span& where) {
    return std::any_of(secrets.begin(), secrets.end(), [&](const Span& secret) { return overlap(secret, where); });
  };
  if (!is_inside(document.span)) return document.value;
  const auto is_secret = [&](const Value& scalar) {
    if (scalar.tainted()) return true;
    const std::vector<OriginId> leaves = document.origins->leaves(scalar.origin());
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](OriginId leaf) { return is_inside((*document.origins)[leaf].span); });
  };
  return copy_of(document.value, true, is_secret, arena);
}

Value visible_values(const Cluster& cluster, Arena& arena) {
  const Node values = cluster.values();
  if (!values.exists()) return Value::null();
  return copy_of(
      values.value(), false, [](const Value& scalar) { return scalar.tainted(); }, arena);
}

}  // namespace capwright::lint::own
