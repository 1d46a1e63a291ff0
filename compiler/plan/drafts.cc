// How effects on the same machines add up.
#include "plan/drafts.h"

#include <algorithm>

namespace capwright::plan {
namespace {

using Count = std::optional<std::int64_t>;

Count replicas_of(const MachineSet* set) { return set != nullptr ? set->replicas : Count(); }
MachineCount count_of(const MachineSet* set) { return set != nullptr ? set->count : MachineCount::unknown(); }
std::string text_of(const Count& count) { return count ? std::to_string(*count) : ""; }

// Machines that are there and stay wanted are replaced.
MachineCount replaced(const Drafts::Draft& draft) {
  const MachineCount before = count_of(draft.before), after = count_of(draft.after);
  MachineCount both{std::min(before.least, after.least), before.most ? before.most : after.most};
  if (before.most && after.most) both.most = std::min(*before.most, *after.most);
  return both;
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
  for (auto& [verb, reasons] : draft.reasons) {
    Action& action = actions.emplace_back();
    action.verb = verb;
    action.target = draft.target;
    action.by = draft.by;
    action.reasons = std::move(reasons);
    const Count before = replicas_of(draft.before), after = replicas_of(draft.after);
    if (verb == Verb::Upgrade || verb == Verb::Roll) {
      action.machines = replaced(draft);
    } else if (verb == Verb::Scale) {
      action.machines = before && after ? MachineCount::of(std::abs(*after - *before)) : MachineCount::unknown();
      action.from = text_of(before);
      action.to = text_of(after);
    } else if (verb == Verb::Create || verb == Verb::Delete) {
      const MachineSet* set = verb == Verb::Create ? draft.after : draft.before;
      if (set != nullptr) action.machines = set->count;
      action.maker = draft.maker;
    }
    if (verb == Verb::Upgrade && draft.before != nullptr && draft.after != nullptr) {
      action.from = draft.before->version;
      action.to = draft.after->version;
    } else if (verb == Verb::Sync) {
      action.from = draft.from;
      action.to = draft.to;
    }
  }
}

}  // namespace capwright::plan
