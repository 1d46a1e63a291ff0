// The machines of one side of a cluster: who makes them, how many, and what from.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "diff/side.h"
#include "plan/effects.h"
#include "plan/plan.h"

namespace capwright::plan {

// Machines that are made alike: a control plane's, or a pool's.
struct MachineSet {
  // An object that its owner refers to.
  struct Reference {
    std::string_view kind, name;
  };
  const diff::Object* owner = nullptr;
  const KindEffects* known = nullptr;
  std::optional<std::int64_t> replicas;  // nothing: a cloud or an autoscaler says how many
  MachineCount count;                    // none of a control plane that a cloud keeps to itself
  std::string_view version;              // as it is written; may be empty
  std::vector<Reference> references;

  bool is_control_plane() const { return known->role == KindEffects::Role::ControlPlane; }
  bool refers_to(std::string_view kind, std::string_view name) const;
};

class Machines {
 public:
  // Of objects that are known so far.
  explicit Machines(const diff::Side& side);

  const std::deque<MachineSet>& sets() const { return sets_; }
  // Those whose owner it is; null when it makes none.
  const MachineSet* of(const diff::Object& owner) const;
  // Those whose owner refers to it.
  std::vector<const MachineSet*> made_with(const diff::Object& part) const;
  // Of all sets.
  MachineCount total() const;

 private:
  std::deque<MachineSet> sets_;
};

// How many machines the canonical values of a cluster ask for.
MachineCount machines_in_values(const Value& values);

// Whether an object holds the name of another as one of its texts.
bool mentions(const Value& object, std::string_view name);

}  // namespace capwright::plan
