// The values of an object that a rule applies to: `spec.pools[].labels{}` is every value of the labels of every pool,
// `spec.pools[0]` the first pool.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "crd/object_place.h"

namespace capwright::admission {

class Pattern {
 public:
  Pattern() = default;  // the root itself
  explicit Pattern(std::string_view text);

  // Calls `visit` with every matching value. With `absent_too`, also with null if the last key is missing or null and
  // its parent exists.
  void each(const crd::Place& root, bool absent_too, const std::function<void(const crd::Place&)>& visit) const;

  // Returns `root` with `change` applied to every matching value.
  Value changed(const Value& root, Arena&, const std::function<Value(const Value&)>& change) const;

  Pattern behind(const Pattern& prefix) const;
  bool is_root() const { return steps_.empty(); }

 private:
  // "[]": every item, "[0]": one item, "{}": every value; otherwise a key.
  std::vector<std::string> steps_;
};

// Returns `root` without the keys at the end of a pattern such as `ports[].name`.
Value without_all(const Value& root, std::string_view pattern, Arena&);
// Returns `root` with an empty map wherever the last key of such a pattern is missing or null; its parent must exist.
Value with_maps(const Value& root, std::string_view pattern, Arena&);

// The path of a finding. `report` is empty for the place itself, `.x` for a path below it, or a whole path, in which
// each `[]` is replaced by the next index on the way to the place, and `{}` by its key.
std::string reported_path(std::string_view report, const crd::Place&);

}  // namespace capwright::admission
