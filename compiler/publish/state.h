// What a run has done so far, kept in `.git/capwright/state.json` after each step, so that the next run goes on.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "git/object_id.h"
#include "publish/step.h"
#include "source/file_system.h"

namespace capwright::publish {

struct StepRecord {
  Step step = Step::Preflight;
  std::string result;     // "done", "stopped", "failed"
  std::int64_t when = 0;  // seconds since 1970 in UTC
};

struct State {
  std::string run;  // a name of its own, which its locks have too
  std::int64_t started = 0;
  std::string remote, ref;            // "origin", "refs/heads/main"
  git::ObjectId head;                 // the commit that was checked out
  git::ObjectId source;               // that was rendered
  std::optional<git::ObjectId> tip;   // where the branch was
  std::optional<git::ObjectId> base;  // what the render was compared with, and the commit's parent
  std::optional<git::ObjectId> commit;
  std::vector<StepRecord> steps;  // as they ended, the last attempt of each
  bool finished = false;

  void note(Step step, std::string_view result, std::int64_t when);
};

std::string state_text(const State& state);
// Nothing: it is not what state_text() writes, and `why` says so.
std::optional<State> read_state(std::string_view text, std::string& why);

// state.json in an existing folder. False: a fault was reported.
bool save_state(FileSystem& fs, const std::string& folder, const State& state, Sink& sink);
// Nothing without a fault: there is none.
std::optional<State> load_state(FileSystem& fs, const std::string& folder, Sink& sink);

}  // namespace capwright::publish
