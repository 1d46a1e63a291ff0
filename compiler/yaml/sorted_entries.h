// A map's entries in the order of Python's sorted().
#pragma once
#include <algorithm>
#include <vector>

#include "value/value.h"

namespace capwright::yaml {

class SortedEntries {
 public:
  // If `sort` is false or the keys can't be compared, the order is the map's.
  SortedEntries(const Value& map, bool sort) {
    entries_.reserve(map.entries().size());
    for (const Entry& entry : map.entries()) entries_.push_back(&entry);
    if (!sort || entries_.size() < 2) return;
    const bool strings = all([](const Value& key) { return key.is(Kind::String); });
    const bool numbers =
        all([](const Value& key) { return key.is(Kind::Int) || key.is(Kind::Float) || key.is(Kind::Bool); });
    sortable_ = strings || numbers;
    // For UTF-8, byte order equals code point order.
    if (strings)
      std::sort(entries_.begin(), entries_.end(), [](auto* a, auto* b) { return a->key.text() < b->key.text(); });
    if (numbers)
      std::stable_sort(entries_.begin(), entries_.end(),
                       [](auto* a, auto* b) { return number(a->key) < number(b->key); });
  }

  const std::vector<const Entry*>& entries() const& { return entries_; }
  void entries() && = delete;  // a loop over a temporary would dangle
  bool sortable() const { return sortable_; }

 private:
  template <class Predicate>
  bool all(Predicate predicate) const {
    return std::all_of(entries_.begin(), entries_.end(), [&](const Entry* entry) { return predicate(entry->key); });
  }
  static double number(const Value& key) {
    if (key.is(Kind::Float)) return key.as_float();
    if (key.is(Kind::Bool)) return (key.as_bool() ? 1 : 0);
    return static_cast<double>(key.as_int());
  }

  std::vector<const Entry*> entries_;
  bool sortable_ = true;
};

}  // namespace capwright::yaml
