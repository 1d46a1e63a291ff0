// An object that leaves one namespace and appears in the other under the same name is part of the move. Other changes
// are reported unchanged.
#include <algorithm>
#include <utility>

#include "plan/planner.h"

namespace capwright::plan {
namespace {

using diff::Change;
using diff::Object;
using diff::ObjectPair;

constexpr std::string_view kNote = "objects can't be moved: all are deleted, with all machines, and created again";

bool is_cluster(const Object& object) { return object.kind == "Cluster" && object.group == "cluster.x-k8s.io"; }

// The Cluster before and after; null in both unless it is elsewhere.
std::pair<const Object*, const Object*> moved_cluster(const diff::ClusterDiff& diff) {
  for (const ObjectPair& gone : diff.pairs) {
    if (gone.kind != ObjectPair::Kind::Removed || !is_cluster(*gone.before)) continue;
    for (const ObjectPair& come : diff.pairs) {
      const bool is_it = come.kind == ObjectPair::Kind::Added && is_cluster(*come.after) &&
                         come.after->name == gone.before->name && come.after->space != gone.before->space;
      if (is_it) return {gone.before, come.after};
    }
  }
  return {};
}

bool are_twins(const Action& gone, const Action& come, const Object& from, const Object& to) {
  const Target &old = gone.target, &now = come.target;
  return gone.verb == Verb::Delete && come.verb == Verb::Create && old.space == from.space && now.space == to.space &&
         old.kind == now.kind && old.object == now.object && old.name == now.name;
}

Reason reason_of(const Object& from, const Object& to, const diff::Side* before, const diff::Side* after) {
  const auto space_of = [](const Object& object) {
    const Value* metadata = object.value.find("metadata");
    return metadata != nullptr ? metadata->find("namespace") : nullptr;
  };
  const Value *old = space_of(from), *now = space_of(to);
  Change change;
  for (const char* key : {"metadata", "namespace"}) change.path.push_back({diff::Step::Kind::Key, false, key, 0, 0});
  if (old == nullptr) change.kind = Change::Kind::Add;
  else if (now == nullptr) change.kind = Change::Kind::Remove;
  else change.kind = Change::Kind::Replace;
  if (old != nullptr) {
    change.before = *old;
    change.before_where = before->span(*old);
  }
  if (now != nullptr) {
    change.after = *now;
    change.after_where = after->span(*now);
  }
  return {std::string(to.kind), std::string(to.name), diff::record_of(change, before, after), std::string(kNote), {}};
}

// Who asks before deletions says so of the cluster, its control plane and its infrastructure alike.
void add_once(const Reason& reason, std::vector<Reason>& reasons) {
  const bool is_said =
      std::any_of(reasons.begin(), reasons.end(), [&](const Reason& each) { return each.note == reason.note; });
  if (!is_said) reasons.push_back(reason);
}

}  // namespace

void find_move(const diff::ClusterDiff& diff, const diff::Side* before, const diff::Side* after, ClusterPlan& plan) {
  const auto cluster = moved_cluster(diff);
  if (cluster.first == nullptr) return;
  const Object &from = *cluster.first, &to = *cluster.second;
  // The tool that applies the tree may leave the old one.
  const bool is_deleted = std::any_of(plan.actions.begin(), plan.actions.end(), [&](const Action& each) {
    return each.verb == Verb::Delete && each.target.kind == Target::Kind::Cluster && each.target.space == from.space;
  });
  if (!is_deleted) return;
  Action move;
  move.verb = Verb::Delete;
  move.target = {Target::Kind::Cluster, std::string(to.kind), std::string(from.space), std::string(to.name)};
  move.from = from.space;
  move.to = to.space;
  move.reasons.push_back(reason_of(from, to, before, after));
  for (Action& gone : plan.actions) {
    const auto come = std::find_if(plan.actions.begin(), plan.actions.end(), [&](const Action& each) {
      return !each.is_part_of_move && are_twins(gone, each, from, to);
    });
    if (come == plan.actions.end()) continue;
    gone.is_part_of_move = come->is_part_of_move = true;
    move.machines += gone.machines;
    if (move.by.empty()) move.by = gone.by;
    for (const Reason& reason : gone.reasons) add_once(reason, move.reasons);
  }
  plan.move = std::move(move);
}

}  // namespace capwright::plan
