// Copies are found by their text: an alias has another place, and a reference disappears when it is resolved.
#include <set>
#include <vector>

#include "secrets/taint.h"

namespace capwright::secrets {
namespace {

constexpr std::size_t kShortestCopy = 8;

using Texts = std::set<std::string_view>;

void collect(const Value& value, Texts& secrets) {
  if (value.is(Kind::List)) {
    for (const Value& item : value.items()) collect(item, secrets);
  } else if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) collect(entry.value, secrets);
  } else if (value.is(Kind::String) && value.tainted() && value.text().size() >= kShortestCopy) {
    secrets.insert(value.text());
  }
}

Value tainted(const Value& value, const Texts& secrets, Stage& stage) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(tainted(item, secrets, stage));
    return make_list(stage.arena, items).with_origin(value.origin()).with_style(value.style());
  }
  if (value.is(Kind::Map)) {
    std::vector<Entry> entries;
    for (const Entry& entry : value.entries()) entries.push_back({entry.key, tainted(entry.value, secrets, stage)});
    return make_map(stage.arena, entries).with_origin(value.origin()).with_style(value.style());
  }
  return value.is(Kind::String) && secrets.count(value.text()) != 0 ? value.with_taint() : value;
}

}  // namespace

Value taint_copies(const Value& values, std::string_view free, Stage& stage) {
  const Value* below = values.find(free);
  if (below == nullptr) return values;
  Texts secrets;
  collect(values, secrets);
  if (secrets.empty()) return values;
  std::vector<Entry> entries(values.entries().begin(), values.entries().end());
  for (Entry& entry : entries) {
    if (entry.key.text() == free) entry.value = tainted(entry.value, secrets, stage);
  }
  return make_map(stage.arena, entries).with_origin(values.origin()).with_style(values.style());
}

}  // namespace capwright::secrets
