// All arguments that come from names and paths are absolute paths or values of options, so no program treats one as an
// option.
#include "deploy/commands.h"

#include <algorithm>

namespace capwright::deploy {
namespace {

Command tofu(const Settings& settings, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin() + 1, {"-input=false", "-no-color"});
  return {"tofu", std::move(arguments), settings.cluster_folder(), {}};
}

std::vector<Variable> in_venv(const Paths& paths) { return {{"VIRTUAL_ENV", paths.venv}}; }

Command kubectl(const Settings& settings, std::vector<std::string> arguments) {
  constexpr const char* kMostWait = "--request-timeout=10s";  // of one request; the step asks again
  arguments.insert(arguments.begin(), {"--kubeconfig=" + settings.kubeconfig, kMostWait});
  return {"kubectl", std::move(arguments), settings.repository, {}};
}

}  // namespace

Paths paths_in(const std::string& state_folder) { return {state_folder + "/opentofu.plan", state_folder + "/venv"}; }

std::vector<Command> commands_of(Step step, const Settings& settings, const Paths& paths) {
  const std::string kubespray = settings.cluster_folder() + "/kubespray";
  switch (step) {
    case Step::Init: return {tofu(settings, {"init"})};
    case Step::Plan: return {tofu(settings, {"plan", "-detailed-exitcode", "-out=" + paths.plan})};
    case Step::Apply: return {tofu(settings, {"apply", paths.plan})};
    case Step::Venv: return {{"python3", {"-m", "venv", paths.venv}, settings.cluster_folder(), {}}};
    case Step::Pip:
      return {{paths.venv + "/bin/pip",
               {"install", "--no-input", "--requirement", kubespray + "/requirements.txt"},
               settings.cluster_folder(),
               in_venv(paths)}};
    case Step::Playbook:
      return {{paths.venv + "/bin/ansible-playbook",
               {"--inventory", settings.cluster_folder() + "/inventory/inventory.yaml", "--become", "cluster.yml"},
               kubespray,
               in_venv(paths),
               paths.venv + "/bin"}};
    case Step::Preflight:
    case Step::Kubeconfig:
    case Step::Readiness: break;
  }
  return {};
}

std::string shown(const Command& command) {
  const auto quoted = [](const std::string& word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,@%+";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
  };
  std::string line = quoted(command.program);
  for (const std::string& argument : command.arguments) line += " " + quoted(argument);
  return line;
}

Command version_of(std::string program) {
  std::vector<std::string> arguments = {"--version"};
  if (program == "tofu") arguments = {"version"};
  if (program == "kubectl") arguments = {"version", "--client"};
  return {std::move(program), std::move(arguments), "/", {}};
}

std::vector<std::string> programs_of(Step step) {
  switch (step) {
    case Step::Init:
    case Step::Plan:
    case Step::Apply: return {"tofu"};
    case Step::Venv: return {"python3"};
    case Step::Readiness: return {"kubectl"};
    case Step::Preflight:
    case Step::Pip:
    case Step::Playbook:
    case Step::Kubeconfig: break;
  }
  return {};
}

Command ask_api(const Settings& settings) { return kubectl(settings, {"get", "--raw=/readyz"}); }

Command ask_nodes(const Settings& settings) {
  return kubectl(settings,
                 {"get", "nodes",
                  "--output=jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type==\"Ready\")]"
                  ".status}{\"\\n\"}{end}"});
}

std::vector<Variable> environment_of(const Settings& settings, const std::vector<Variable>& inherited) {
  std::vector<Variable> all = inherited;
  const auto set = [&](const Variable& added) {
    std::erase_if(all, [&](const Variable& known) { return known.name == added.name; });
    all.push_back(added);
  };
  for (const Variable& credential : settings.credentials) set(credential);
  set({"KUBECONFIG", settings.kubeconfig});
  set({"TF_IN_AUTOMATION", "1"});
  set({"CHECKPOINT_DISABLE", "1"});  // OpenTofu asks no server for newer versions
  return all;
}

}  // namespace capwright::deploy
