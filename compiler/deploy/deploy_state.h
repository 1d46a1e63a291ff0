// The progress of a deployment, saved as state.json before and after each step, so that the next run can resume.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deploy/deploy_step.h"

namespace capwright::deploy {

enum class Outcome : std::uint8_t { Running, Done, Stopped, Failed, Interrupted };

struct StepRecord {
  Step step = Step::Preflight;
  Outcome outcome = Outcome::Running;  // Running, if the process isn't alive: it was killed
  std::int64_t when = 0;               // seconds since 1970 in UTC
};

struct State {
  std::string run;  // a unique name, which its lock contains, too
  std::int64_t started = 0;
  std::string settings;           // the digest of what the steps were done with
  std::vector<StepRecord> steps;  // the last attempt of each step, in their order
  bool finished = false;

  void note(Step step, Outcome outcome, std::int64_t when);
  const StepRecord* find(Step step) const;
  bool is_done(Step step) const;
};

std::string_view word_of(Outcome outcome);

std::string state_text(const State& state);
// Empty if the text isn't from state_text(); `why` has the reason.
std::optional<State> read_state(std::string_view text, std::string& why);

}  // namespace capwright::deploy
