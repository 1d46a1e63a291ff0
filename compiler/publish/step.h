// The steps of a publication, in order, and what each needs to have been done in the same run.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace capwright::publish {

enum class Step : std::uint8_t { Preflight, Origin, Lock, Clean, Render, Lint, Diff, Commit, Push, Audit };

struct StepInfo {
  Step step;
  std::string_view id;     // of --step and state.json; never changes
  std::string_view title;  // what it does
  std::vector<Step> needs;
  bool changes;  // something outside of this process; a dry run leaves it out
};

std::span<const StepInfo> steps();
const StepInfo& info(Step step);
std::optional<Step> find_step(std::string_view id);

// What a run is asked for; all steps without `only` and `from`.
struct Choice {
  std::optional<Step> only;  // this one
  std::optional<Step> from;  // this one and all behind it
  bool dry_run = false;
};

// Those that are chosen, and all that they need, in order.
std::vector<Step> chosen_steps(const Choice& choice);

}  // namespace capwright::publish
