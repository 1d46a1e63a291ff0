// Computed once for all Clusters of a tree.
#include "lint/facts/machine_groups.h"

#include <map>
#include <tuple>
#include <utility>

namespace capwright::lint {
namespace {

// Of a set: its Cluster, what identifies its owner, and its labels.
using GroupKey = std::tuple<const Object*, std::string_view, std::string_view, std::string_view, Labels>;

std::map<const Object*, MachineGroups> find_machine_groups(const Cluster& tree) {
  std::map<GroupKey, std::size_t> numbers;
  std::vector<MachineGroup> groups;
  std::vector<const GroupKey*> keys;
  for (const MachineSet& set : machine_sets(tree)) {
    GroupKey key{set.cluster, set.owner->kind(), set.owner->space(), set.owner->name(), labels_of(set)};
    const auto [known, is_new] = numbers.try_emplace(std::move(key), groups.size());
    if (is_new) groups.emplace_back();
    if (is_new) keys.push_back(&known->first);
    MachineGroup& group = groups[known->second];
    group.sets.push_back(&set);
    group.replicas += set.replicas().value_or(0);
    group.has_unknown_replicas |= !set.replicas();
  }
  std::map<const Object*, MachineGroups> by_cluster;
  for (std::size_t i = 0; i < groups.size(); ++i)
    by_cluster[std::get<0>(*keys[i])].add(std::move(groups[i]), std::get<Labels>(*keys[i]));
  return by_cluster;
}

}  // namespace

void MachineGroups::add(MachineGroup group, Labels labels) {
  groups_.push_back(std::move(group));
  index_.add("", std::move(labels));
}

std::vector<const MachineGroup*> MachineGroups::selected_by(const Node& selector) const {
  std::vector<const MachineGroup*> selected;
  for (const std::size_t number : index_.selected("", selector)) selected.push_back(&groups_[number]);
  return selected;
}

const MachineGroups& machine_groups(const Object& cluster) {
  static const MachineGroups none;
  const auto& by_cluster = cluster.cluster().memo(find_machine_groups);
  const auto found = by_cluster.find(&cluster);
  return found == by_cluster.end() ? none : found->second;
}

}  // namespace capwright::lint
