// Prints the remaining steps and their programs; starts nothing and writes nothing.
#include <fmt/format.h>

#include "deploy/deployer.h"
#include "deploy/read_configuration.h"
#include "secrets/urls.h"

namespace capwright::deploy {

Ending Deployer::show(Sink& sink) {
  if (!read_former(sink)) return {Ending::How::Failed, 0};
  world_.dialogue.print(
      fmt::format("{} in {}\n\nenvironment of all programs\n", settings_.shown_name(), settings_.cluster_folder()));
  for (const Variable& each : environment_of(settings_, place_.environment)) {
    const bool is_secret = is_secret_variable(each.name);
    const std::string value = is_secret ? "<secret>" : redact_urls(settings_.secrets.redact(each.value));
    world_.dialogue.print(fmt::format("    {}={}\n", each.name, value));
  }
  int number = 0;
  for (const Step step : remaining()) print_step(step, ++number);
  return {Ending::How::Done, 0};
}

void Deployer::print_step(Step step, int number) {
  std::string text = fmt::format("\n{}. {}: {}\n", number, info(step).id, info(step).title);
  for (const Command& command : commands_of(step, settings_, paths_)) {
    text += fmt::format("    in {}\n    {}\n", command.folder, shown(command));
    if (!command.tools.empty()) text += fmt::format("        PATH={}:$PATH\n", command.tools);
    for (const Variable& each : command.variables) text += fmt::format("        {}={}\n", each.name, each.value);
  }
  if (step == Step::Kubeconfig) {
    text += fmt::format("    writes {}", settings_.kubeconfig);
    if (!settings_.api_address.empty()) text += fmt::format(", with the API at {}", settings_.api_address);
    text += "\n";
  }
  if (step == Step::Readiness) {
    text += fmt::format("    every {} seconds, for {} seconds at most\n    {}\n    {}\n", options_.ready_interval,
                        options_.ready_seconds, shown(ask_api(settings_)), shown(ask_nodes(settings_)));
  }
  world_.dialogue.print(settings_.secrets.redact(text));
}

}  // namespace capwright::deploy
