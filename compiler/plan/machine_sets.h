// The machines of one side of a cluster: their owner, their number, and the objects they are made from.
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

// Machines with the same specification: those of a control plane or of a pool.
struct MachineSet {
  // An object that its owner refers to.
  struct Reference {
    std::string_view kind, name;
  };
  const diff::Object* owner = nullptr;  // the Cluster if its `spec.topology` requests them
  const KindEffects* known = nullptr;
  std::string_view kind;                     // of the owner
  std::string_view topology;                 // name in `spec.topology`; empty: not in a topology
  const Value* asks = nullptr;               // has the number and version: the owner, or an item of `spec.topology`
  std::optional<std::int64_t> fewest, most;  // limits of an autoscaler
  std::optional<std::int64_t> replicas;      // empty: a cloud or an autoscaler sets the number
  MachineCount count;                        // zero for a control plane that a cloud manages
  std::string_view version;                  // as written; may be empty
  std::vector<Reference> references;

  // The limits of an autoscaler are set, and the number of replicas isn't.
  bool is_autoscaled() const { return !replicas && fewest && most; }
  bool is_control_plane() const { return known->role == KindEffects::Role::ControlPlane; }
  bool refers_to(std::string_view of_kind, std::string_view name) const;
};

class Machines {
 public:
  // Reads the objects that the side has loaded so far.
  explicit Machines(const diff::Side& side);

  const std::deque<MachineSet>& sets() const { return sets_; }
  // The same machines on the other side; null when it has none.
  const MachineSet* find(const MachineSet& other) const;
  // The sets whose owner refers to `part`.
  std::vector<const MachineSet*> made_with(const diff::Object& part) const;
  // Of all sets.
  MachineCount total() const;

 private:
  void add_topology(const diff::Object& cluster, const diff::Side& side);

  std::deque<MachineSet> sets_;
};

// The target of actions that scale, replace or delete the set.
Target target_of(const MachineSet& set);
// The Cluster that they belong to; null when the side has none.
const diff::Object* cluster_of(const MachineSet& set, const diff::Side& side);

// The number of machines that the canonical values of a cluster request.
MachineCount machines_in_values(const Value& values);
// The number of machines of all objects of a side.
MachineCount machines_in_render(diff::Side& side);

// Whether the object's spec refers to another object by kind and name.
bool refers_to(const Value& object, std::string_view kind, std::string_view name);
// Whether one of the object's texts is the name of another object.
bool mentions(const Value& object, std::string_view name);

}  // namespace capwright::plan
