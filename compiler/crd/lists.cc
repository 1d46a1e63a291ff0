// x-kubernetes-list-type: a set holds each item once, a map holds each combination of its keys once.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "crd/structure.h"
#include "yaml/write.h"

namespace capwright::crd {
namespace {

// The identity of an item in a list of type map: its keys, as `{"name":"a"}`.
std::string keys_of(const Node& list, const Value& item) {
  std::string text;
  for (const std::string_view key : list.list_map_keys) {
    const Value* value = item.find(key);
    if (value == nullptr) continue;
    text += text.empty() ? "{" : ",";
    text += fmt::format("\"{}\":{}", key, canonical_json(*value));
  }
  return text.empty() ? "{}" : text + "}";
}

// A quick check for repeats: false if every pair of items has different texts, as in nearly all lists.
bool may_repeat(const Node& list, std::span<const Value> items) {
  constexpr std::size_t kFew = 16;
  if (items.size() > kFew) return true;
  const auto differ = [](const Value* a, const Value* b) {
    return a != nullptr && b != nullptr && a->is(Kind::String) && b->is(Kind::String) && a->text() != b->text();
  };
  const auto are_apart = [&](const Value& a, const Value& b) {
    if (list.list_type == ListType::Set) return differ(&a, &b);
    return std::any_of(list.list_map_keys.begin(), list.list_map_keys.end(),
                       [&](std::string_view key) { return differ(a.find(key), b.find(key)); });
  };
  for (std::size_t i = 1; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_apart(items[i], items[j])) return true;
    }
  }
  return false;
}

void check_list(const Node& list, const Place& place, Reporter& report) {
  const std::span<const Value> items = place.value.items();
  const bool are_maps = std::all_of(items.begin(), items.end(), [](const Value& item) { return item.is(Kind::Map); });
  if ((are_maps || list.list_type == ListType::Set) && !may_repeat(list, items)) return;
  std::map<std::string, std::uint32_t> seen;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const Place item = Place::item(items[i], i, place);
    if (list.list_type == ListType::Map && !items[i].is(Kind::Map)) {
      report.add(Phase::ListType, Reason::Invalid, item,
                 with_value(Reason::Invalid, items[i]) + ": must be an object for an array of list-type map");
      continue;
    }
    std::string identity = list.list_type == ListType::Map ? keys_of(list, items[i]) : canonical_json(items[i]);
    const auto [known, is_new] = seen.try_emplace(std::move(identity), i);
    if (is_new) continue;
    report.add(Phase::ListType, Reason::Duplicate, item, "Duplicate value: " + known->first).help =
        fmt::format("item {} is the same", known->second);
  }
}

}  // namespace

Correlation::Correlation(const Node& list, const Value* old) : list_(list) {
  if (old == nullptr || list.list_type != ListType::Map || !old->is(Kind::List)) return;
  for (const Value& item : old->items()) {
    if (item.is(Kind::Map)) items_.try_emplace(keys_of(list, item), &item);
  }
}

const Value* Correlation::find(const Value& item) const {
  if (items_.empty() || !item.is(Kind::Map)) return nullptr;
  const auto found = items_.find(keys_of(list_, item));
  return found == items_.end() ? nullptr : found->second;
}

void check_lists(const Node& node, const Place& place, Reporter& report) {
  if (!node.checks_lists) return;
  if (place.value.is(Kind::List)) {
    const std::span<const Value> items = place.value.items();
    if (node.list_type != ListType::Atomic) check_list(node, place, report);
    for (std::uint32_t i = 0; i < items.size() && node.items != nullptr; ++i)
      check_lists(*node.items, Place::item(items[i], i, place), report);
  } else if (place.value.is(Kind::Map)) {
    for (const Entry& entry : place.value.entries()) {
      const Property* property = node.table.find(entry.key);
      const Node* below = property != nullptr ? property->node : node.additional;
      if (below != nullptr) check_lists(*below, Place::member(entry, place), report);
    }
  }
}

}  // namespace capwright::crd
