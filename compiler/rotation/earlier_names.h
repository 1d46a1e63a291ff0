// Two specs never share a name. Eight digits are enough to tell the few generations of a template apart nearly always;
// where they aren't, the later spec gets another digest, and keeps it as long as the index knows of it.
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

// The names that the templates of a cluster have, in use and retired, with the specs that they stand for.
class EarlierNames {
 public:
  // Without an index there are none. Both arguments are kept by reference.
  EarlierNames(const PreviousCluster& previous, const Limits& limits) : previous_(previous), limits_(limits) {}

  // `-5d1f0c7a`: what the template `base` of this kind has with this spec already; else the first digest of the spec
  // that stands for no other one. An earlier spec that can't be read counts as the one that its name says.
  std::string suffix(std::string_view kind, std::string_view group, std::string_view base, const Value& spec);

 private:
  using SpecsByName = std::map<std::string, std::string, std::less<>>;  // canonical, by kind, group and name
  // Nothing when it can't be read.
  std::optional<std::string_view> spec_of(const RotatedObject& object);
  const SpecsByName& specs_in(const std::string& path);

  const PreviousCluster& previous_;
  const Limits& limits_;
  std::map<std::string, SpecsByName, std::less<>> read_;              // by file
  std::map<std::string, std::vector<const RotatedObject*>> by_base_;  // of the index, by kind, group and base
};

}  // namespace capwright::rotation
