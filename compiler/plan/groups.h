// The plans of a fleet, grouped: an action that a thousand clusters share is reported once.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "diff/packed.h"
#include "plan/plan.h"

namespace capwright::plan {

// Where an action is: indices into the plans and into their actions.
struct Place {
  static constexpr std::uint32_t kMove = 0xffffffff;  // ClusterPlan::move
  std::uint32_t cluster = 0, action = 0;
};

// Actions with equal values, apart from the name of the cluster in them.
struct Variant {
  std::vector<std::string> names;  // of the targets, with `<cluster>`, in order
  std::string from, to;            // of the action
  std::vector<Reason> reasons;     // those of the first action, with `<cluster>` for its name
  std::vector<Place> places;
  std::uint32_t clusters = 0;
  MachineCount machines;        // the sum over all of them
  diff::ShownMaker maker = {};  // of the actions, if it is the same for all
};

// Actions with the same verb on the same kind of target, for changes of the same fields.
struct Group {
  Verb verb = Verb::NoOp;
  bool is_move = false;  // clusters that move to another namespace: `from` and `to` of its ways
  Target::Kind target = Target::Kind::Object;
  std::string object;              // the kind of the target's object; empty when the targets have several
  std::vector<std::string> names;  // of the targets, with `<cluster>`, in order
  std::vector<Variant> variants;   // most frequent first
  std::uint32_t clusters = 0;
  MachineCount machines;
};

// Most severe verbs first, then most machines, then most clusters.
std::vector<Group> groups_of(const diff::Records<ClusterPlan>& plans);

// Whether the action replaces machines.
bool replaces_machines(const Action& action);
// The number of machines that all actions replace.
MachineCount replaced_by(const ClusterPlan& plan);

}  // namespace capwright::plan
