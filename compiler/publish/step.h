// The steps of a publication, in order, with the steps that each requires in the same run.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "steps/choice.h"

namespace capwright::publish {

enum class Step : std::uint8_t { Preflight, Origin, Lock, Clean, Render, Lint, Diff, Commit, Push, Audit };

using StepInfo = steps::StepInfo<Step>;
using Choice = steps::Choice<Step>;

std::span<const StepInfo> steps();
const StepInfo& info(Step step);
std::optional<Step> find_step(std::string_view id);

// The chosen steps and all that they require, in order.
std::vector<Step> chosen_steps(const Choice& choice);

}  // namespace capwright::publish
