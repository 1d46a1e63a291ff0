// The interfaces of a deployment to its environment, so that tests can make each of them fail or interrupt the run.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "deploy/deploy_settings.h"
#include "deploy/deploy_step.h"
#include "source/file_system.h"
#include "source/long_process.h"
#include "source/private_files.h"
#include "steps/clock.h"

namespace capwright::deploy {

// The user who runs the command, or the log of a CI job.
class Dialogue {
 public:
  virtual ~Dialogue() = default;
  // Reports the end of a step, or a message about it.
  virtual void say(Step step, std::string_view line) = 0;
  // Shows and logs redacted lines of a program's output.
  virtual void show_output(std::string_view lines) = 0;
  // Shows a redacted text of a dry run.
  virtual void print(std::string_view text) = 0;
  // Whether a user can answer.
  virtual bool can_ask() = 0;
  virtual bool agrees(std::string_view question) = 0;
};

struct World {
  FileSystem& files;
  PrivateFiles& kept;
  LongPrograms& programs;
  steps::Clock& clock;
  Dialogue& dialogue;
};

// The process that deploys.
struct Place {
  std::string who;  // the user
  std::string host;
  int process = 0;                    // its id
  std::string state_folder;           // absolute: of this cluster
  std::vector<Variable> environment;  // what programs inherit
  std::string search_path;            // of programs: `PATH`
};

struct Options {
  Choice choice;
  bool yes = false, restart = false, break_lock = false, kubespray = true;
  std::int64_t lock_seconds = 3600;
  std::int64_t ready_interval = 30, ready_seconds = 1800;
};

}  // namespace capwright::deploy
