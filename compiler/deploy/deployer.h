// `capwright deploy` without its command line: from a configuration to a running cluster, step by step. It can be
// interrupted at any point and resumed.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deploy/commands.h"
#include "deploy/deploy_settings.h"
#include "deploy/deploy_state.h"
#include "deploy/deploy_world.h"
#include "source/file_system.h"
#include "steps/holder.h"
#include "steps/process_lock.h"

namespace capwright::deploy {

struct Ending {
  enum class How : std::uint8_t {
    Done,
    Stopped,      // the user declined
    Interrupted,  // by `signal`
    Failed,       // the Sink has the reason, as for Interrupted
  };
  How how = How::Done;
  int signal = 0;
};

class Deployer {
 public:
  // All arguments must outlive it.
  Deployer(World world, const Settings& settings, Options options, Place place);

  // Call one of them, once.
  Ending run(Sink& sink);
  // Prints what run() would do; starts no program and writes nothing.
  Ending show(Sink& sink);

 private:
  // The steps that aren't commands.
  Outcome preflight(Sink& sink);
  Outcome apply(Sink& sink);
  Outcome kubeconfig(Sink& sink);
  Outcome readiness(Sink& sink);

  bool prepare(Sink& sink);
  bool lock(Sink& sink);
  bool read_former(Sink& sink);
  bool lock_programs(bool was_killed, Sink& sink);
  bool confirm_lock(Sink& sink);
  bool save(Sink& sink);
  std::vector<Step> steps_of(const Choice& choice) const;
  std::vector<Step> remaining() const;
  Outcome run_step(Step step, Sink& sink);
  Outcome run_commands(Step step, Sink& sink);
  // The end of a program whose output is shown; or, with `output`, kept there.
  LongEnd run_program(const Command& command, std::string* output, Sink& sink);
  std::optional<LongRun> prepared(const Command& command, Sink& sink);
  Outcome report_end(const Command& command, const LongEnd& end, Sink& sink);
  bool finds_programs(Sink& sink);
  bool check_folder(Sink& sink);
  std::optional<std::string> find_kubeconfig(std::string& shown, Sink& sink);
  std::string unready_part(Sink& sink);
  void print_step(Step step, int number);
  void say(Step step, const std::string& line) { world_.dialogue.say(step, line); }
  steps::Holder self();
  std::string subject() const { return "capwright deploys " + settings_.shown_name(); }

  World world_;
  const Settings& settings_;
  const Options options_;
  const Place place_;
  const Paths paths_;
  steps::ProcessLock lock_;
  Dir programs_;  // locked as long as the running program lives
  State state_;
  std::vector<StepRecord> former_;  // of the last run
  Step current_ = Step::Preflight;
  bool has_plan_changes_ = true;  // of this run's plan
  std::int64_t renewed_ = 0;      // when the lock was written last
  int signal_ = 0;                // the request to stop; 0: none
};

}  // namespace capwright::deploy
