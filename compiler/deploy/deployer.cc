// The sequence of a deployment: the lock, the steps that remain, and the state before and after each.
#include "deploy/deployer.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <set>

#include "base/sha.h"
#include "deploy/read_configuration.h"
#include "diag/catalog/deploy.h"
#include "diag/catalog/publish.h"
#include "diag/catalog/tree.h"

namespace capwright::deploy {
namespace {

constexpr std::uint64_t kLargestState = 1u << 20;  // bytes

constexpr bool is_kubespray(Step step) { return step == Step::Venv || step == Step::Pip || step == Step::Playbook; }

// The digest of the settings without secrets: steps that were done with others have to be done again.
std::string digest_of(const Settings& settings, bool kubespray) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n", settings.repository, settings.folder, settings.kubeconfig,
                                 settings.api_address, kubespray);
  for (const Variable& each : settings.credentials)
    if (!is_secret_variable(each.name)) text += fmt::format("{}={}\n", each.name, each.value);
  return to_hex(sha256(text));
}

std::string signal_name(int number) {
  constexpr int kInterrupt = 2, kTerminate = 15, kHangUp = 1;
  if (number == kInterrupt) return "SIGINT";
  if (number == kTerminate) return "SIGTERM";
  return number == kHangUp ? "SIGHUP" : fmt::format("signal {}", number);
}

}  // namespace

Deployer::Deployer(World world, const Settings& settings, Options options, Place place)
    : world_(world),
      settings_(settings),
      options_(options),
      place_(std::move(place)),
      paths_(paths_in(place_.state_folder)),
      lock_(world.files, place_.state_folder + "/lock") {
  state_.settings = digest_of(settings_, settings_.kubespray && options_.kubespray);
}

std::vector<Step> Deployer::steps_of(const Choice& choice) const {
  std::vector<Step> all = steps::chosen_in(steps(), choice);
  const bool kubespray = settings_.kubespray && options_.kubespray;
  const auto is_left_out = [&](Step step) { return is_kubespray(step) && !kubespray && choice.only != step; };
  std::erase_if(all, is_left_out);
  return all;
}

// Completed steps don't run again, unless a remaining step needs them in its run.
std::vector<Step> Deployer::remaining() const {
  const std::vector<Step> all = steps_of(options_.choice);
  if (options_.choice.only || options_.choice.from) return all;
  std::set<Step> wanted;
  for (const Step step : all) {
    if (!state_.is_done(step)) steps::add_with_needs(steps(), step, wanted);
  }
  return {wanted.begin(), wanted.end()};
}

Ending Deployer::run(Sink& sink) {
  using How = Ending::How;
  if (!prepare(sink)) return {How::Failed, 0};
  Outcome outcome = Outcome::Done;
  for (const Step step : remaining()) {
    if (!confirm_lock(sink)) return {How::Failed, 0};
    current_ = step;
    signal_ = world_.programs.wait(0);  // a request that came between two programs
    state_.note(step, signal_ == 0 ? Outcome::Running : Outcome::Interrupted, world_.clock.seconds());
    if (!save(sink)) return {How::Failed, 0};
    if (signal_ != 0) break;
    outcome = run_step(step, sink);
    if (signal_ != 0 && outcome != Outcome::Done) outcome = Outcome::Interrupted;
    if (!confirm_lock(sink)) return {How::Failed, 0};
    state_.note(step, outcome, world_.clock.seconds());
    if (!save(sink)) return {How::Failed, 0};
    if (outcome != Outcome::Done || signal_ != 0) break;
  }
  if (signal_ != 0) {
    sink.report(diag::deployment_interrupted, Span(), signal_name(signal_), std::string(info(current_).id));
    return {How::Interrupted, signal_};
  }
  if (outcome != Outcome::Done) return {outcome == Outcome::Stopped ? How::Stopped : How::Failed, 0};
  const std::vector<Step> all = steps_of({});
  state_.finished = std::all_of(all.begin(), all.end(), [&](Step step) { return state_.is_done(step); });
  return {save(sink) ? How::Done : How::Failed, 0};
}

bool Deployer::prepare(Sink& sink) {
  if (const IoError error = world_.kept.make_dirs(place_.state_folder)) {
    sink.report(diag::io_failed, Span(), place_.state_folder, "created", describe(error));
    return false;
  }
  state_.started = world_.clock.seconds();
  const std::string what =
      fmt::format("{} {} {}.{}", place_.host, place_.process, state_.started, world_.clock.nanoseconds());
  state_.run = to_hex(sha256(what)).substr(0, 16);
  if (!lock(sink) || !read_former(sink)) return false;
  const auto is_running = [](const StepRecord& record) { return record.outcome == Outcome::Running; };
  const bool is_free = lock_programs(std::any_of(former_.begin(), former_.end(), is_running), sink);
  programs_.close();
  return is_free;
}

steps::Holder Deployer::self() {
  const std::int64_t now = world_.clock.seconds();
  return {place_.who, place_.host, place_.process, state_.run, now, now + options_.lock_seconds};
}

bool Deployer::lock(Sink& sink) {
  using Answer = steps::ProcessLock::Answer;
  std::optional<steps::Holder> other;
  const Answer answer = lock_.take_expired(self(), subject(), options_.break_lock, other, sink);
  renewed_ = world_.clock.seconds();
  if (answer == Answer::Taken && other) say(Step::Preflight, fmt::format("took the lock of {}", shown(*other)));
  if (answer == Answer::Busy) {
    sink.report(diag::deployment_locked, Span(), settings_.shown_name(), other ? shown(*other) : "another process")
        .note(other ? fmt::format("its process is {}, and its lock expires at {}", other->process,
                                  steps::time_text(other->until))
                    : "its lock file is unreadable")
        .advise("wait until it ends; `--break-lock` takes the lock of a run that is dead");
  }
  return answer == Answer::Taken;
}

// Renews the lock. False after reporting that another run has taken it.
bool Deployer::confirm_lock(Sink& sink) {
  const std::size_t errors = sink.error_count();
  if (lock_.renew(self(), subject(), sink)) {
    renewed_ = world_.clock.seconds();
    return true;
  }
  if (sink.error_count() == errors) sink.report(diag::deployment_lock_lost, Span(), settings_.shown_name());
  return false;
}

// A program inherits the lock of this folder, so it shows whether a program of a killed run still works. After a
// program that ended before its run, only what it left behind can hold the lock; then another folder takes its place.
bool Deployer::lock_programs(bool was_killed, Sink& sink) {
  const std::string folder = place_.state_folder + "/programs";
  const auto lock_folder = [&] {
    IoError error = make_dirs(world_.files, folder);
    if (!error) error = programs_.open(world_.files, folder);
    if (!error) error = world_.files.lock(programs_.id());
    return error;
  };
  IoError error = lock_folder();
  if (error.code == EWOULDBLOCK && was_killed && !options_.break_lock) {
    sink.report(diag::deployment_locked, Span(), settings_.shown_name(), "a program of a run that was killed")
        .advise("wait until the program ends; `--break-lock` runs beside it");
    return false;
  }
  if (error.code == EWOULDBLOCK) {
    programs_.close();
    error = world_.files.remove_dir(folder);
    if (!error) error = lock_folder();
  }
  if (error) sink.report(diag::io_failed, Span(), folder, "locked", describe(error));
  return !error;
}

// Takes over the completed steps of an earlier run that isn't finished. False if its state is unreadable.
bool Deployer::read_former(Sink& sink) {
  const std::string path = place_.state_folder + "/state.json";
  std::string text, why;
  const IoError error = world_.files.read(path, text, kLargestState);
  if (error.code == ENOENT) return true;
  std::optional<State> former = error ? std::nullopt : read_state(text, why);
  if (!former && options_.restart) return true;
  if (!former) {
    sink.report(diag::unreadable_state, Span(), path, error ? describe(error) : why)
        .advise("start over with `--restart`");
    return false;
  }
  former_ = former->steps;
  const bool selects = options_.choice.only || options_.choice.from;
  if (options_.restart || (former->finished && !selects)) return true;
  if (former->settings != state_.settings) {
    say(Step::Preflight, "the configuration has changed since the last run, so all steps run again");
    return true;
  }
  for (const StepRecord& record : former->steps) state_.note(record.step, record.outcome, record.when);
  if (selects) return true;
  for (const StepRecord& record : former->steps) {
    if (record.outcome == Outcome::Done || record.step == Step::Preflight) continue;
    const bool was_killed = record.outcome == Outcome::Running;
    say(Step::Preflight, fmt::format("resumes at {}, which {}", info(record.step).id,
                                     was_killed ? "was killed" : fmt::format("ended as {}", word_of(record.outcome))));
  }
  return true;
}

bool Deployer::save(Sink& sink) {
  const std::string path = place_.state_folder + "/state.json";
  const IoError error = world_.kept.replace(path, state_text(state_));
  if (error) sink.report(diag::io_failed, Span(), path, "written", describe(error));
  return !error;
}

Outcome Deployer::run_step(Step step, Sink& sink) {
  switch (step) {
    case Step::Preflight: return preflight(sink);
    case Step::Apply: return apply(sink);
    case Step::Kubeconfig: return kubeconfig(sink);
    case Step::Readiness: return readiness(sink);
    case Step::Init:
    case Step::Plan:
    case Step::Venv:
    case Step::Pip:
    case Step::Playbook: break;
  }
  return run_commands(step, sink);
}

}  // namespace capwright::deploy
