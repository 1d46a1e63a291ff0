// The table of steps.
#include "publish/step.h"

#include <algorithm>
#include <array>
#include <set>

namespace capwright::publish {
namespace {

// Compares the remote before anything is written there, including the lock.
const std::array<StepInfo, 10>& table() {
  using enum Step;
  static const std::array<StepInfo, 10> all{{
      {Preflight, "preflight", "find branch, commit, author and programs", {}, false},
      {Origin, "origin", "compare the remote with `publish.url`", {Preflight}, false},
      {Lock, "lock", "lock the branch against other runs", {Preflight, Origin}, true},
      {Clean, "clean", "check for uncommitted changes", {Preflight}, false},
      {Render, "render", "render the commit", {Preflight, Clean}, false},
      {Lint, "lint", "lint the rendered files", {Render}, false},
      {Diff, "diff", "compare with the published tree, and plan", {Render}, false},
      {Commit, "commit", "make one commit of all changes", {Origin, Lock, Lint, Diff}, true},
      {Push, "push", "push it, unless the branch has moved", {Origin, Lock}, true},
      {Audit, "audit", "record the publication", {Render}, true},
  }};
  return all;
}

void add_with_needs(Step step, std::set<Step>& wanted) {
  if (!wanted.insert(step).second) return;
  for (const Step needed : info(step).needs) add_with_needs(needed, wanted);
}

}  // namespace

std::span<const StepInfo> steps() { return table(); }

const StepInfo& info(Step step) { return table()[static_cast<std::size_t>(step)]; }

std::optional<Step> find_step(std::string_view id) {
  const auto found = std::find_if(table().begin(), table().end(), [&](const StepInfo& step) { return step.id == id; });
  return found == table().end() ? std::nullopt : std::optional(found->step);
}

std::vector<Step> chosen_steps(const Choice& choice) {
  std::set<Step> wanted;
  for (const StepInfo& step : table()) {
    const bool chosen = choice.only ? step.step == *choice.only : !choice.from || step.step >= *choice.from;
    if (chosen) add_with_needs(step.step, wanted);
  }
  if (choice.dry_run) std::erase_if(wanted, [](Step step) { return info(step).changes; });
  return {wanted.begin(), wanted.end()};
}

}  // namespace capwright::publish
