// Layers of values become one: maps merge, lists and scalars replace, `null` deletes. Every leaf remembers the layer,
// line and column that set it and, through its origin, those that it overrode.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// Later layers win. A layer whose document is empty adds nothing; one that is no map is reported and left out.
Value merge_layers(std::span<const Value> layers, Stage&);

// One part of a path: a key, or the number of a list item.
struct PathStep {
  std::string_view key;
  std::int64_t index = -1;  // >= 0: an item of a list

  bool is_index() const { return index >= 0; }
};

// `network.pod_cidrs[0]`, `addon_values."a.b"`; nothing (reported at `where`) when it isn't of that form.
std::vector<PathStep> parse_path(std::string_view text, Span where, Stage&);

// `values` with `value` at `path`, as `--set` does: missing maps are made, `[n]` replaces or appends an item, null
// deletes. What stands in the way (a scalar that would have to be a map, an item far past the end) is reported.
Value assign(Value values, std::span<const PathStep> path, Value value, Stage&);

// How a path is written in messages: `worker_pools[0].count`.
std::string path_text(std::span<const PathStep> path);

}  // namespace capwright::values
