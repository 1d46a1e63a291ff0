// Which objects a patch changes.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "patch/identity.h"
#include "patch/label_selector.h"
#include "text/regex.h"
#include "value/stage.h"

namespace capwright::patch {

// kustomize's `target`: `group`, `version`, `kind`, `name` and `namespace` are regular expressions that match the whole
// text; all conditions must be met, and an empty one always is.
class Target {
 public:
  // Reports malformed conditions and returns empty. `target` is a Map.
  static std::optional<Target> read(const Value& target, Stage& stage);

  bool matches(const ObjectId& id, const Value& document) const;
  // Whether `kind` is a condition, and met.
  bool names_kind(std::string_view kind) const;

 private:
  std::optional<Regex> group_, version_, kind_, name_, space_;
  std::optional<LabelSelector> labels_, annotations_;
};

}  // namespace capwright::patch
