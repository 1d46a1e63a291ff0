// Objects from an old API version to a newer one, as values. `migrate/document.h` does the same to texts.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "migrate/steps.h"
#include "value/value.h"

namespace capwright::migrate {

// The group, version and kind of an object, or in a reference. Views into the value.
struct ApiType {
  std::string_view group, version, kind;
};

// The versions and kinds that objects should get.
struct Goal {
  std::string version;  // `v1beta2`; empty, or not offered for a kind: the version that `stored` has
  std::string kind;     // the begin of a kind's name, such as `Nodeadm`; empty: kinds stay
  // The version that the targeted release stores; empty: unknown, so the newest one of the tables.
  std::function<std::string_view(std::string_view group, std::string_view kind)> stored;
  // Whether the schema of a type refuses an empty map, list or text at a path, but not that it is missing; not set:
  // unknown, so all are allowed.
  std::function<bool(const ApiType& type, const FieldPath& path)> refuses_empty;
};

std::optional<ApiType> type_of(const Value& object);

// The next conversion on the way to the goal; null: the object is there, or no table leads there.
const Conversion* next_conversion(const ApiType& type, const Goal& goal);
// The version and kind at the end of the way; those of `type` if there is none.
ApiType end_of_way(ApiType type, const Goal& goal);

// The paths of references in an object whose version, or kind, isn't the one that the goal has. Those that patches of
// a ClusterClass select by their version stay.
std::vector<FieldPath> old_references(const Value& object, const Goal& goal);

// The type that a reference gets; the version is empty if the reference has none.
ApiType type_of_reference(const Value& reference, const Goal& goal);

// The object with other words for its version and kind; `path` of the map that has them.
Value with_type(const Value& object, const FieldPath& path, const ApiType& type, Arena& arena);

// The first step that an object needs for a conversion: a move of its table, then an empty value that the new version
// refuses. Empty: only the version is left.
std::optional<Step> next_step(const Conversion& conversion, const Value& object, const Goal& goal,
                              const Skipped& skipped);

struct Converted {
  Value object;
  std::vector<Step> steps;    // in their order
  std::vector<Step> blocked;  // left as they were
  bool changed = false;
};
// All the way, without the skipped steps. Places of values that stay the same are kept.
Converted convert(const Value& object, const Goal& goal, Arena& arena, const Skipped& skipped = {});

// `before` in the version of `after`, two states of one object; `before` itself if they have the same version, or no
// table leads from the one to the other without a decision.
Value in_version_of(const Value& before, const Value& after, Arena& arena);

}  // namespace capwright::migrate
