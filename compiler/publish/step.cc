// The table of steps.
#include "publish/step.h"

#include <array>

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

}  // namespace

std::span<const StepInfo> steps() { return table(); }

const StepInfo& info(Step step) { return steps::info_in(steps(), step); }

std::optional<Step> find_step(std::string_view id) { return steps::find_in(steps(), id); }

std::vector<Step> chosen_steps(const Choice& choice) { return steps::chosen_in(steps(), choice); }

}  // namespace capwright::publish
