// Two specs never share a name. Eight digits almost always distinguish the few generations of a template. In a
// collision, the later spec gets another digest, and keeps it as long as the index contains the spec.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/previous.h"
#include "value/limits.h"
#include "value/value.h"

namespace capwright::rotation {

// The names of a cluster's templates, current and retired, with their specs.
class EarlierNames {
 public:
  // Without an index there are none. Keeps references to both arguments.
  EarlierNames(const PreviousCluster& previous, const Limits& limits) : previous_(previous), limits_(limits) {}

  // `-5d1f0c7a`: the suffix that the template `base` of this kind already has with this spec; otherwise the first
  // digest of the spec that no other spec uses. An unreadable earlier spec is assumed to match its name.
  std::string suffix(std::string_view kind, std::string_view group, std::string_view base, const Value& spec);

 private:
  using SpecsByName = std::map<std::string, std::string, std::less<>>;  // canonical, by kind, group and name
  // Empty if it can't be read.
  std::optional<std::string_view> spec_of(const RotatedObject& object);
  const SpecsByName& specs_in(const std::string& path);

  const PreviousCluster& previous_;
  const Limits& limits_;
  std::map<std::string, SpecsByName, std::less<>> read_;              // by file
  std::map<std::string, std::vector<const RotatedObject*>> by_base_;  // from the index, by kind, group and base
};

}  // namespace capwright::rotation
