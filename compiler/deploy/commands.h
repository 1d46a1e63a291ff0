// The programs of each step, as data: the same for a dry run and for a run.
#pragma once
#include <string>
#include <vector>

#include "deploy/deploy_settings.h"
#include "deploy/deploy_step.h"

namespace capwright::deploy {

// The state folder's files that programs write or read.
struct Paths {
  std::string plan;  // OpenTofu's saved plan, which contains secrets
  std::string venv;  // the Python environment
};
Paths paths_in(const std::string& state_folder);

struct Command {
  std::string program;                 // a name in `PATH`, or a path
  std::vector<std::string> arguments;  // without secrets: these are only in the environment
  std::string folder;
  std::vector<Variable> variables;  // in addition to those of every program
  std::string tools = {};           // a folder that comes first in its `PATH`
};

// In order; none for the steps that this program does itself.
std::vector<Command> commands_of(Step step, const Settings& settings, const Paths& paths);

// As a user would type it in a shell.
std::string shown(const Command& command);

// Prints the version of a program that deployments need.
Command version_of(std::string program);
// The programs that the steps look up in `PATH`.
std::vector<std::string> programs_of(Step step);

// Prints `ok` when the API server is ready.
Command ask_api(const Settings& settings);
// Prints the name of each node and the status of its condition Ready: `worker-1=True`.
Command ask_nodes(const Settings& settings);

// The variables of every program: the inherited ones, then the credentials and the kubeconfig.
std::vector<Variable> environment_of(const Settings& settings, const std::vector<Variable>& inherited);

}  // namespace capwright::deploy
