// Stable sorting of values by Python's `<`, for `sort`, `dictsort`, `groupby`, `list.sort`.
#pragma once
#include <vector>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

struct Keyed {
  Value key;
  Value item;
};

// Sorts by key; equal keys keep their order, also with `reverse`. False, and reported, if keys can't be compared.
bool sort_by_key(Runtime&, std::vector<Keyed>& items, bool reverse);

}  // namespace capwright::jinja
