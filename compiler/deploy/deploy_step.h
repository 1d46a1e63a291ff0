// The steps of a deployment, in order, with the steps that each requires in the same run.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "steps/choice.h"

namespace capwright::deploy {

enum class Step : std::uint8_t { Preflight, Init, Plan, Apply, Venv, Pip, Playbook, Kubeconfig, Readiness };

using StepInfo = steps::StepInfo<Step>;
using Choice = steps::Choice<Step>;

std::span<const StepInfo> steps();
const StepInfo& info(Step step);
std::optional<Step> find_step(std::string_view id);

}  // namespace capwright::deploy
