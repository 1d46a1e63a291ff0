// Which values of an object a rule looks at: `spec.pools[].labels{}` is every value of the labels of every pool,
// `spec.pools[0]` the first pool.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "crd/place.h"

namespace capwright::admission {

class Pattern {
 public:
  Pattern() = default;  // the root itself
  explicit Pattern(std::string_view text);

  // Calls `visit` with every value that fits. With `absent_too`, also with null where the last key is missing or null
  // and what is above it is there.
  void each(const crd::Place& root, bool absent_too, const std::function<void(const crd::Place&)>& visit) const;

  // `root` with what `change` makes of every value that fits.
  Value changed(const Value& root, Arena&, const std::function<Value(const Value&)>& change) const;

  Pattern behind(const Pattern& prefix) const;
  bool is_root() const { return steps_.empty(); }

 private:
  // "[]": every item, "[0]" one of them, "{}": every value, otherwise a key.
  std::vector<std::string> steps_;
};

// `root` without the keys that a pattern such as `ports[].name` ends in.
Value without_all(const Value& root, std::string_view pattern, Arena&);
// `root` with an empty map wherever the last key of such a pattern is missing or null; what is above it must be there.
Value with_maps(const Value& root, std::string_view pattern, Arena&);

// The path of a finding: `report` is empty for the place itself, `.x` below it, or a whole path whose `[]` stand for
// the indexes on the way to the place, in their order, and whose `{}` stands for its key.
std::string reported_path(std::string_view report, const crd::Place&);

}  // namespace capwright::admission
