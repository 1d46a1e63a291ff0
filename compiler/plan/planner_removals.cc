// What leaves the tree.
#include <algorithm>
#include <fmt/format.h>

#include "plan/planner.h"

namespace capwright::plan {

using diff::ClusterDiff;
using diff::Object;
using diff::ObjectPair;
using Role = KindEffects::Role;

Action Planner::whole_cluster(const MachineCount& machines) const {
  const bool is_new = diff_.kind == ClusterDiff::Kind::Added;
  Action action;
  action.verb = is_new ? Verb::Create : Verb::Delete;
  action.target = {Target::Kind::Cluster, "Cluster", "", diff_.cluster};
  action.machines = machines;
  if (!is_new) add_deletion(action);
  return action;
}

void Planner::add_deletion(Action& action) const {
  for (const Object& object : before_->objects()) {
    if (object.kind != "Cluster" || !object.group.ends_with("cluster.x-k8s.io")) continue;
    const Fate fate = removal_->fate_of(object);
    Reason reason{.object = std::string(object.kind), .name = std::string(object.name), .note = fate.note};
    if (!fate.goes) action.verb = Verb::Orphan;
    else if (!fate.note.empty())
      reason.note = fmt::format("{}, an ApplicationSet may leave it (preserveResourcesOnDeletion)", fate.note);
    if (!reason.note.empty()) action.reasons.push_back(std::move(reason));
    if (!fate.goes) action.commands.push_back(delete_command(object.group, object.kind, object.space, object.name));
  }
}

void Planner::removed(const Object& object) {
  const KindEffects* known = effects_of(object.group, object.kind);
  const bool is_part = known != nullptr && (known->role == Role::Template || known->role == Role::PoolPart);
  const Fate fate = removal_->fate_of(object);
  if (is_part && (fate.is_kept_on_purpose || !old_machines_->made_with(object).empty())) return;
  if (object.kind.empty() && !releases_with(object, *before_).empty()) return;
  Drafts::Draft& draft = draft_of(object, known);
  if (is_part || (known != nullptr && known->role == Role::Cluster))
    draft.besides = machines_besides(object, *old_machines_);
  const bool runs = draft.before != nullptr || (known != nullptr && known->role == Role::Cluster);
  const Verb verb = fate.goes                                       ? Verb::Delete
                    : is_part || (fate.is_kept_on_purpose && !runs) ? Verb::NoOp
                                                                    : Verb::Orphan;
  draft.reasons[verb];
  draft.maker = diff::maker_of(object, *before_);
  Reason reason{.object = std::string(object.kind), .name = std::string(own_name(object)), .note = fate.note};
  if (draft.before != nullptr) add_new_name(*draft.before, fate.goes, reason.note);
  if (!reason.note.empty()) Drafts::add(draft, verb, std::move(reason));
  if (verb == Verb::Orphan && !object.kind.empty())
    draft.commands.push_back(delete_command(object.group, object.kind, object.space, object.name));
}

void Planner::add_new_name(const MachineSet& gone, bool goes, std::string& note) const {
  const std::string_view name = renamed_to(gone, *old_machines_, *new_machines_);
  if (name.empty()) return;
  note += fmt::format("{}`{}` has the same spec under another name: {}", note.empty() ? "" : "; ", name,
                      goes ? "all machines are replaced" : "both pools run until you delete this one");
}

MachineCount Planner::machines_besides(const Object& cluster, const Machines& machines) const {
  MachineCount sum;
  for (const MachineSet& set : machines.sets()) {
    const bool is_alone =
        set.owner == &cluster || std::none_of(diff_.pairs.begin(), diff_.pairs.end(), [&](const ObjectPair& pair) {
          return (pair.kind == ObjectPair::Kind::Removed && pair.before == set.owner) ||
                 (pair.kind == ObjectPair::Kind::Added && pair.after == set.owner);
        });
    if (is_alone) sum += set.count;
  }
  return sum;
}

void Planner::plan_tombstones() {
  if (after_ == nullptr) return;
  const auto is_same = [](const Object& a, const Object& b) {
    return a.kind == b.kind && a.group == b.group && a.space == b.space && a.name == b.name;
  };
  for (const Object& object : after_->tombstones()) {
    const auto has = [&](const auto& objects) {
      return std::any_of(objects.begin(), objects.end(), [&](const Object& each) { return is_same(each, object); });
    };
    if (has(after_->objects())) continue;
    if (before_ != nullptr && (has(before_->objects()) || has(before_->tombstones()))) continue;
    const KindEffects* known = effects_of(object.group, object.kind);
    Drafts::Draft& draft = draft_of(object, known);
    if (known != nullptr && known->role == Role::Pool) draft.besides = MachineCount::unknown();
    Drafts::add(draft, Verb::Delete,
                {.object = std::string(object.kind),
                 .name = std::string(object.name),
                 .note = fmt::format("`{}` lists it, so that Argo CD deletes it", object.file->path)});
  }
}

}  // namespace capwright::plan
