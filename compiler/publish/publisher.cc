// The sequence of a publication: the order of steps, the state stored after each, and the steps to repeat after the
// branch moved.
#include "publish/publisher.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/sha.h"
#include "diag/catalog/publish.h"

namespace capwright::publish {
namespace {

constexpr int kMostMoves = 5;

// Two containers may have the same host name and process id, and start in the same second.
std::string run_name(const Place& place, Clock& clock) {
  const std::string what = fmt::format("{} {} {}.{}", place.host, place.process, clock.seconds(), clock.nanoseconds());
  return to_hex(sha256(what)).substr(0, 16);
}

}  // namespace

Publisher::Publisher(World world, Settings settings, Options options, Place place)
    : world_(world),
      settings_(std::move(settings)),
      options_(options),
      place_(std::move(place)),
      folder_(world.repository.private_folder() + "/capwright"),
      process_lock_(world.files, folder_) {}

End Publisher::run(Sink& sink) {
  const std::vector<Step> plan = chosen_steps(options_.choice);
  state_.started = world_.clock.seconds();
  state_.run = run_name(place_, world_.clock);
  int moves = 0;
  Result result = Result::Done;
  for (std::size_t i = 0; i < plan.size() && result == Result::Done; ++i) {
    result = run_step(plan[i], sink);
    if (result != Result::Moved) continue;
    const auto again = std::find(plan.begin(), plan.end(), Step::Render);
    if (++moves >= kMostMoves || again == plan.end() || again > plan.begin() + static_cast<std::ptrdiff_t>(i)) {
      sink.report(diag::moved_too_often, Span(), branch_, url_, moves);
      break;
    }
    result = Result::Done;
    i = static_cast<std::size_t>(again - plan.begin()) - 1;
  }
  if (remote_lock_) remote_lock_->release();
  if (result == Result::Done && locked_ && is_chosen(Step::Audit) && !options_.choice.only) {
    state_.finished = true;
    if (!save(sink)) result = Result::Failed;
  }
  process_lock_.release();
  if (result == Result::Done) return End::Done;
  if (result == Result::Stopped) return End::Stopped;
  return End::Failed;
}

bool Publisher::is_chosen(Step step) const {
  const std::vector<Step> plan = chosen_steps(options_.choice);
  return std::find(plan.begin(), plan.end(), step) != plan.end();
}

Publisher::Result Publisher::run_step(Step step, Sink& sink) {
  using Run = Result (Publisher::*)(Sink&);
  static constexpr Run kRuns[] = {&Publisher::preflight, &Publisher::origin, &Publisher::lock, &Publisher::clean,
                                  &Publisher::render,    &Publisher::lint,   &Publisher::diff, &Publisher::commit,
                                  &Publisher::push,      &Publisher::audit};
  Result result = (this->*kRuns[static_cast<std::size_t>(step)])(sink);
  std::string_view word = "failed";
  if (result == Result::Done) word = "done";
  else if (result == Result::Stopped) word = "stopped";
  else if (result == Result::Moved) word = "moved";
  state_.note(step, word, world_.clock.seconds());
  // The original error matters more than a failure to save it.
  Sink unsaved;
  if (locked_ && !save(result == Result::Failed ? unsaved : sink)) result = Result::Failed;
  return result;
}

// Only the holder of the clone's lock may write the file.
bool Publisher::save(Sink& sink) { return save_state(world_.files, folder_, state_, sink); }

git::Signature Publisher::signature() { return {who_, world_.clock.seconds(), place_.minutes_east}; }

}  // namespace capwright::publish
