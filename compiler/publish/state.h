// The progress of a run, saved in `.git/capwright/state.json` after each step, so that the next run can resume.
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
  std::string run;                // a unique name, which its locks contain, too
  std::string request;            // Request::id; empty: there is none
  std::vector<std::string> dead;  // earlier runs of this clone that have ended, whose lock may still be on the remote
  std::int64_t started = 0;
  std::string remote, ref;            // "origin", "refs/heads/main"
  git::ObjectId head;                 // the checked-out commit
  git::ObjectId source;               // the rendered commit
  std::optional<git::ObjectId> tip;   // the earlier tip of the branch
  std::optional<git::ObjectId> base;  // the base of the comparison, and the commit's parent
  std::optional<git::ObjectId> commit;
  std::vector<StepRecord> steps;  // the last attempt of each step
  bool finished = false;

  void note(Step step, std::string_view result, std::int64_t when);
};

std::string state_text(const State& state);
// Empty if the text isn't from state_text(); `why` has the reason.
std::optional<State> read_state(std::string_view text, std::string& why);

// Writes state.json to an existing folder. Returns false after reporting an error.
bool save_state(FileSystem& fs, const std::string& folder, const State& state, Sink& sink);
// Empty without an error: there is no file.
std::optional<State> load_state(FileSystem& fs, const std::string& folder, Sink& sink);

}  // namespace capwright::publish
