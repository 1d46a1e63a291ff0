// Machines by the selectors that find them. Copies of a control plane or pool, in a tree that has a cluster several
// times, have the same labels: they are compared with a selector once.
#pragma once
#include <cstdint>
#include <vector>

#include "lint/facts/label_index.h"
#include "lint/facts/machines.h"

namespace capwright::lint {

// Machine sets of one Cluster whose owners have the same kind, namespace, name and labels of machines.
struct MachineGroup {
  std::vector<const MachineSet*> sets;  // in the order of machine_sets()
  std::int64_t replicas = 0;            // of all sets that have a number
  bool has_unknown_replicas = false;    // whether one of them has none
};

class MachineGroups {
 public:
  void add(MachineGroup group, Labels labels);
  const std::vector<MachineGroup>& all() const { return groups_; }  // in the order of their first sets
  std::vector<const MachineGroup*> selected_by(const Node& selector) const;

 private:
  std::vector<MachineGroup> groups_;
  LabelIndex index_;
};

// The machines of a Cluster.
const MachineGroups& machine_groups(const Object& cluster);

}  // namespace capwright::lint
