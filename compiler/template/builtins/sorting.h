// Sorting and grouping: stable by Python's `<`, for `sort`, `dictsort`, `groupby`, `list.sort`.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

struct Keyed {
  Value key;
  Value item;
};

// Sorts by key; equal keys keep their order, also with `reverse`. False, and reported, if keys can't be compared.
bool sort_by_key(Runtime&, std::vector<Keyed>& items, bool reverse);

// The tuples that `groupby` returns: `(key, items)`, whose parts are also `.grouper` and `.list`.

Value make_group(Runtime&, const Value& grouper, const Value& list);

// `.grouper` and `.list` of a group; empty for other values and names.
std::optional<Value> group_attribute(const Value& self, std::string_view name);

}  // namespace capwright::jinja
