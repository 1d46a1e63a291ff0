// The tuples that `groupby` returns: `(key, items)`, whose parts are also `.grouper` and `.list`.
#pragma once
#include <optional>
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

Value make_group(Runtime&, const Value& grouper, const Value& list);

// `.grouper` and `.list` of a group; empty for other values and names.
std::optional<Value> group_attribute(const Value& self, std::string_view name);

}  // namespace capwright::jinja
