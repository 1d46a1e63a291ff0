// Merges layers of values: maps are merged, lists and scalars replaced, `null` deletes. Every leaf records the layer,
// line and column that set it and, through its origin, those that it overrode.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// The keys of a cluster's values whose lists grow from layer to layer; all other lists are replaced.
inline constexpr std::string_view kGrowingLists[] = {"patches", "resources"};

// Whether a layer has values. Reports one that isn't a map.
bool can_merge(const Value& layer, Stage&);

// Later layers win. A layer with an empty document adds nothing; one that isn't a map is reported and skipped. The
// lists at the keys `growing` of the layers are joined, the lowest layer first; `null` drops those of the layers below.
Value merge_layers(std::span<const Value> layers, Stage&, std::span<const std::string_view> growing = {});

// One part of a path: a key, or the number of a list item.
struct PathStep {
  std::string_view key;
  std::int64_t index = -1;  // >= 0: an item of a list

  bool is_index() const { return index >= 0; }
};

// `network.pod_cidrs[0]`, `addon_values."a.b"`; empty (reported at `where`) for another form.
std::vector<PathStep> parse_path(std::string_view text, Span where, Stage&);

// Returns `values` with `value` at `path`, like `--set`: missing maps are created, `[n]` replaces or appends an item,
// null deletes. Conflicts are reported: a scalar in place of a map, an index past the end.
Value assign(Value values, std::span<const PathStep> path, Value value, Stage&);

// The form of a path in messages: `worker_pools[0].count`.
std::string path_text(std::span<const PathStep> path);

// The schema for a cluster's values: merges the common part and the template set's part into one document.
// schemas/values/README.md states the rules for users ("The effective schema").

// Merges `set` into `common`; both are parsed schema documents. Origins are kept, so that a default has its file.
Value merge_schemas(const Value& common, const Value& set, Arena&);

}  // namespace capwright::values
