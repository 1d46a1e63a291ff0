// Combines the effects on the same machines.
#include "plan/drafts.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace capwright::plan {
namespace {

using Count = std::optional<std::int64_t>;

Count replicas_of(const MachineSet* set) { return set != nullptr ? set->replicas : Count(); }
MachineCount count_of(const MachineSet* set) { return set != nullptr ? set->count : MachineCount::unknown(); }
std::string number_text(const Count& count) { return count ? std::to_string(*count) : ""; }

// Replaces the machines that exist on both sides, or only some of them.
MachineCount replaced(const Drafts::Draft& draft, Verb verb) {
  const MachineCount before = count_of(draft.before), after = count_of(draft.after);
  MachineCount both{std::min(before.least, after.least), before.most ? before.most : after.most};
  if (before.most && after.most) both.most = std::min(*before.most, *after.most);
  if (verb == Verb::Upgrade || draft.rolls_all || (draft.rolls_joined && draft.rolls_first)) return both;
  if (draft.rolls_joined) both.least = std::max<std::int64_t>(0, both.least - 1);
  else if (draft.rolls_first) both = {0, std::min<std::int64_t>(1, both.most.value_or(1))};
  else if (draft.resumes) both.least = 0;
  return both;
}

// The replica count that the webhook sets when the manifest drops the number and an autoscaler takes over.
Count clamped(const MachineSet* before, const MachineSet* after) {
  if (before == nullptr || after == nullptr || !before->replicas) return std::nullopt;
  if (!after->is_autoscaled() || !after->known->clamps) return std::nullopt;
  return std::clamp(*before->replicas, *after->fewest, std::max(*after->fewest, *after->most));
}

// The machines to add or remove to get from an autoscaler's limits to a number.
MachineCount distance(const MachineCount& from, std::int64_t to) {
  if (!from.most) return MachineCount::unknown();
  std::int64_t least = 0;
  if (to < from.least) least = from.least - to;
  else if (to > *from.most) least = to - *from.most;
  return {least, std::max(std::abs(to - from.least), std::abs(*from.most - to))};
}

void count_scale(const MachineSet* old_set, const MachineSet* set, Count before, Count after, Action& action) {
  const Count target = after ? after : clamped(old_set, set);
  action.from = number_text(before);
  action.to = number_text(target);
  if (before && target) {
    action.machines = MachineCount::of(std::abs(*target - *before));
    action.grows = *target > *before;
  } else {
    const bool is_counted = target && old_set != nullptr && old_set->is_autoscaled();
    action.machines = is_counted ? distance(old_set->count, *target) : MachineCount::unknown();
    action.grows = is_counted && old_set->count.most && *target >= *old_set->count.most;
  }
  if (after || !target) return;
  for (Reason& reason : action.reasons) {
    if (reason.note.empty())
      reason.note = fmt::format("a webhook sets the number to {}, within the limits of the autoscaler", *target);
  }
  if (before == target) action.verb = Verb::InPlace;
}

void append(std::vector<Reason>& reasons, std::vector<Reason>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(reasons));
  more.clear();
}

}  // namespace

Drafts::Draft& Drafts::of(Target target) {
  const auto [found, is_new] =
      numbers_.try_emplace({target.kind, target.object, target.space, target.name}, drafts_.size());
  if (is_new) drafts_.emplace_back().target = std::move(target);
  return drafts_[found->second];
}

Drafts::Draft* Drafts::find(const Target& target) {
  const auto found = numbers_.find({target.kind, target.object, target.space, target.name});
  return found == numbers_.end() ? nullptr : &drafts_[found->second];
}

void Drafts::add(Draft& draft, Verb verb, Reason reason) {
  std::vector<Reason>& known = draft.reasons[verb];
  const bool is_known = std::any_of(known.begin(), known.end(), [&](const Reason& each) {
    return each.object == reason.object && each.name == reason.name && each.change.path == reason.change.path;
  });
  if (!is_known) known.push_back(std::move(reason));
}

std::vector<Action> Drafts::actions() {
  std::vector<Action> actions;
  for (Draft& draft : drafts_) finish(draft, actions);
  std::stable_sort(actions.begin(), actions.end(), [](const Action& a, const Action& b) { return a.verb < b.verb; });
  return actions;
}

void Drafts::finish(Draft& draft, std::vector<Action>& actions) {
  if (draft.reasons.contains(Verb::Upgrade) && draft.reasons.contains(Verb::Roll)) {
    append(draft.reasons[Verb::Upgrade], draft.reasons[Verb::Roll]);
    draft.reasons.erase(Verb::Roll);
  }
  const bool rolls_none = draft.rolls_first && draft.first_joined_alike && !draft.rolls_all && !draft.rolls_joined;
  if (rolls_none && draft.reasons.contains(Verb::Roll) && !draft.resumes) {
    for (Reason& reason : draft.reasons[Verb::Roll]) reason.note = "only `kubeadm init` reads it";
    append(draft.reasons[Verb::NoOp], draft.reasons[Verb::Roll]);
    draft.reasons.erase(Verb::Roll);
  }
  // The values of a new or deleted object come and go with it.
  if (draft.reasons.contains(Verb::Create) || draft.reasons.contains(Verb::Delete)) draft.reasons.erase(Verb::Sync);
  for (auto& [verb, reasons] : draft.reasons) {
    Action& action = actions.emplace_back();
    action.verb = verb;
    action.target = draft.target;
    action.by = draft.by;
    action.reasons = std::move(reasons);
    count(draft, action);
    const bool is_held = draft.hold && draft.hold->holds(action.verb, action.grows);
    const bool acts = verb == Verb::Upgrade || verb == Verb::Roll || verb == Verb::Scale;
    if (!is_held && (draft.beside.empty() || !acts)) continue;
    std::string note = draft.beside;
    if (is_held) {
      note = fmt::format("{} waits: {}", verb_name(action.verb), draft.hold->why);
      action.verb = Verb::Blocked;
    }
    action.reasons.insert(action.reasons.begin(),
                          {.object = draft.target.object, .name = draft.target.name, .note = std::move(note)});
  }
}

void Drafts::count(Draft& draft, Action& action) {
  const Count before = replicas_of(draft.before), after = replicas_of(draft.after);
  const MachineSet* set = action.verb == Verb::Create ? draft.after : draft.before;
  switch (action.verb) {
    case Verb::Upgrade:
      if (draft.before != nullptr && draft.after != nullptr) {
        action.from = draft.before->version;
        action.to = draft.after->version;
      }
      [[fallthrough]];
    case Verb::Roll: action.machines = replaced(draft, action.verb); return;
    case Verb::Scale: return count_scale(draft.before, draft.after, before, after, action);
    case Verb::Orphan: action.commands = std::move(draft.commands); [[fallthrough]];
    case Verb::Create:
    case Verb::Delete:
      if (action.verb != Verb::Create) {
        action.first = std::move(draft.first);
        action.successor = draft.successor;
      }
      if (set != nullptr) action.machines = set->count;
      action.machines += draft.besides;
      action.maker = draft.maker;
      return;
    case Verb::Sync:
      action.from = draft.from;
      action.to = draft.to;
      return;
    default: return;
  }
}

}  // namespace capwright::plan
