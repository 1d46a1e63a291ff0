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
  const diff::Object* owner = nullptr;  // the Cluster, where its `spec.topology` asks for them
  const KindEffects* known = nullptr;
  std::string_view kind;                     // of what makes them
  std::string_view topology;                 // name in `spec.topology`; empty: it isn't in there
  const Value* asks = nullptr;               // what says how many and which: the owner, or an item of `spec.topology`
  std::optional<std::int64_t> fewest, most;  // limits of an autoscaler
  std::optional<std::int64_t> replicas;      // nothing: a cloud or an autoscaler says how many
  MachineCount count;                        // none of a control plane that a cloud keeps to itself
  std::string_view version;                  // as it is written; may be empty
  std::vector<Reference> references;

  // Limits of an autoscaler are there, and the field that says how many isn't.
  bool is_autoscaled() const { return !replicas && fewest && most; }
  bool is_control_plane() const { return known->role == KindEffects::Role::ControlPlane; }
  bool refers_to(std::string_view of_kind, std::string_view name) const;
};

class Machines {
 public:
  // Of objects that are known so far.
  explicit Machines(const diff::Side& side);

  const std::deque<MachineSet>& sets() const { return sets_; }
  // The same machines on the other side; null when it has none.
  const MachineSet* find(const MachineSet& other) const;
  // Those whose owner refers to it.
  std::vector<const MachineSet*> made_with(const diff::Object& part) const;
  // Of all sets.
  MachineCount total() const;

 private:
  void add_topology(const diff::Object& cluster, const diff::Side& side);

  std::deque<MachineSet> sets_;
};

// What is scaled, replaced or deleted with them.
Target target_of(const MachineSet& set);
// The Cluster that they belong to; null when the side has none.
const diff::Object* cluster_of(const MachineSet& set, const diff::Side& side);

// How many machines the canonical values of a cluster ask for.
MachineCount machines_in_values(const Value& values);

// Whether an object refers to another by kind and name, in its spec.
bool refers_to(const Value& object, std::string_view kind, std::string_view name);
// Whether an object holds the name of another as one of its texts.
bool mentions(const Value& object, std::string_view name);

}  // namespace capwright::plan
