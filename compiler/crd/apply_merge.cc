// The patch of `kubectl apply` for custom resources: a JSON merge patch made from three versions of an object.
// https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/#how-apply-calculates-differences-and-merges-changes
#include <algorithm>
#include <vector>

#include "crd/validate.h"

namespace capwright::crd {
namespace {

const Value* member_at_key(const Value& map, const Value& key) { return map.find(key.text(), key.text_rep()->hash); }

// A value that replaces the existing one: in a merge patch, null means "remove".
Value without_nulls(const Value& value, Arena& arena) {
  if (!value.is(Kind::Map)) return value;
  std::vector<Entry> kept;
  for (const Entry& entry : value.entries()) {
    if (!entry.value.is(Kind::Null)) kept.push_back({entry.key, without_nulls(entry.value, arena)});
  }
  return make_map(arena, kept).with_origin(value.origin());
}

// Whether the live object already has all of it, and it has no nulls: then a patch changes nothing.
bool is_there(const Value& content, const Value& live) {
  if (content.is(Kind::Null)) return false;
  if (!content.is(Kind::Map)) return json_equal(content, live);
  if (!live.is(Kind::Map) || live.entries().size() != content.entries().size()) return false;
  return std::all_of(content.entries().begin(), content.entries().end(), [&](const Entry& entry) {
    const Value* there = member_at_key(live, entry.key);
    return there != nullptr && is_there(entry.value, *there);
  });
}

}  // namespace

Value apply_merge(const Value& last, const Value& live, const Value& content, Arena& arena) {
  if (!content.is(Kind::Map)) return content;
  if (!live.is(Kind::Map)) return without_nulls(content, arena);
  if (is_there(content, live)) return content;
  std::vector<Entry> merged;
  merged.reserve(content.entries().size() + live.entries().size());
  const Value nothing;
  for (const Entry& entry : content.entries()) {
    const Value* there = member_at_key(live, entry.key);
    const Value* before = member_at_key(last, entry.key);
    if (entry.value.is(Kind::Null)) {
      // A null that was null before isn't a change: the live value stays.
      if (there != nullptr && before != nullptr && before->is(Kind::Null)) merged.push_back({entry.key, *there});
      continue;
    }
    merged.push_back({entry.key, apply_merge(before != nullptr ? *before : nothing, there != nullptr ? *there : nothing,
                                             entry.value, arena)});
  }
  for (const Entry& entry : live.entries()) {
    if (member_at_key(content, entry.key) == nullptr && member_at_key(last, entry.key) == nullptr)
      merged.push_back(entry);
  }
  return make_map(arena, merged).with_origin(content.origin());
}

}  // namespace capwright::crd
