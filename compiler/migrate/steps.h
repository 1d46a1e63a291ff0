// What is to be done with one object, field by field.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "migrate/tables.h"
#include "value/value.h"

namespace capwright::migrate {

// A move at one place of an object.
struct Step {
  const Move* move = nullptr;
  FieldPath from, to;
  std::string blocked;  // why it can't be done without a person; empty: it can

  // Identifies it among the steps of an object.
  std::string key() const { return shown(from) + " > " + shown(to); }
  // "becomes `spec.rollout.strategy`", and the same with the old field.
  std::string effect() const;
  std::string words() const;
};

using Skipped = std::set<std::string>;  // keys of steps

// The first step that the object still needs, without the skipped ones. Empty: only the version is left.
std::optional<Step> next_step(const Conversion& conversion, const Value& object, const Skipped& skipped);

// The object after a step that isn't blocked. Values that stay the same keep their places.
Value applied(const Value& object, const Step& step, Arena& arena);

// The entry that a move or drop removes, which may be a map around its field.
FieldPath removed_by(const Step& step, const Value& object);

// The value after a change of its unit; empty if it isn't one of that unit.
std::optional<Value> in_unit(const Value& value, Move::Unit unit, Arena& arena);

// The steps of a path that stay, even if they are empty: `spec`.
inline constexpr std::size_t kKeptSteps = 1;

}  // namespace capwright::migrate
