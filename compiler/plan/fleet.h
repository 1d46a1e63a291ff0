// Plans of a fleet, and what they have in common: an action that a thousand clusters share is said once.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace capwright::plan {

// Where one action is: numbers in the plans, and in what they hold.
struct Place {
  static constexpr std::uint32_t kMove = 0xffffffff;  // ClusterPlan::move
  std::uint32_t cluster = 0, action = 0;
};

// Actions with equal values, but that the name of the cluster may be in them.
struct Way {
  std::vector<std::string> names;  // of the targets, with `<cluster>`, in order
  std::string from, to;            // of the action
  std::vector<Reason> reasons;     // those of the first action, with `<cluster>` for its name
  std::vector<Place> places;
  std::uint32_t clusters = 0;
  MachineCount machines;        // of all of them
  diff::ShownMaker maker = {};  // of the actions, as far as it is the same for all
};

// Actions of one kind on one kind of target, for changes of the same fields.
struct Group {
  Verb verb = Verb::NoOp;
  bool is_move = false;  // clusters that go to other namespaces, which `from` and `to` of its ways are
  Target::Kind target = Target::Kind::Object;
  std::string object;              // the kind of the target's object; empty when the targets have several
  std::vector<std::string> names;  // of the targets, with `<cluster>`, in order
  std::vector<Way> ways;           // the most frequent first
  std::uint32_t clusters = 0;
  MachineCount machines;
};

// Most severe verbs first; among equals what concerns more machines, then more clusters.
std::vector<Group> groups_of(std::span<const ClusterPlan> plans);

// Whether it is a replacement of machines.
bool replaces_machines(const Action& action);
// How many machines all actions replace.
MachineCount replaced_by(const ClusterPlan& plan);

}  // namespace capwright::plan
