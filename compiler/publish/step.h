// The steps of a publication, in order, with the steps that each requires in the same run.
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
  std::string_view id;     // for --step and state.json; never changes
  std::string_view title;  // what it does
  std::vector<Step> needs;
  bool changes;  // has effects outside of this process; a dry run skips it
};

std::span<const StepInfo> steps();
const StepInfo& info(Step step);
std::optional<Step> find_step(std::string_view id);

// The requested steps; all without `only` and `from`.
struct Choice {
  std::optional<Step> only;  // this one
  std::optional<Step> from;  // this step and all later ones
  bool dry_run = false;
};

// The chosen steps and all that they require, in order.
std::vector<Step> chosen_steps(const Choice& choice);

}  // namespace capwright::publish
