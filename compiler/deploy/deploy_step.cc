// The table of steps. The ids are those of opencenter, as far as it has the step.
#include "deploy/deploy_step.h"

#include <array>

namespace capwright::deploy {
namespace {

// A saved plan is outdated once an apply has begun, so each apply gets a plan of its run.
const std::array<StepInfo, 9>& table() {
  using enum Step;
  static const std::array<StepInfo, 9> all{{
      {Preflight, "preflight", "check credentials, placeholders and programs", {}, false},
      {Init, "opentofu-init", "initialize OpenTofu", {Preflight}, true},
      {Plan, "opentofu-plan", "plan the infrastructure", {Preflight}, true},
      {Apply, "opentofu-apply", "ask, then apply the plan", {Preflight, Plan}, true},
      {Venv, "venv-create", "create a Python environment for Kubespray", {Preflight}, true},
      {Pip, "pip-install", "install Kubespray's requirements", {Preflight}, true},
      {Playbook, "ansible-playbook", "run Kubespray's playbook", {Preflight}, true},
      {Kubeconfig, "normalize-kubeconfig", "write the kubeconfig with the API's address", {}, true},
      {Readiness, "readiness", "wait until the API and all nodes are ready", {}, true},
  }};
  return all;
}

}  // namespace

std::span<const StepInfo> steps() { return table(); }

const StepInfo& info(Step step) { return steps::info_in(steps(), step); }

std::optional<Step> find_step(std::string_view id) { return steps::find_in(steps(), id); }

}  // namespace capwright::deploy
