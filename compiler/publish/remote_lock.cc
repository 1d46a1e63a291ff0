// Doesn't use a clock of the remote: compares the end of a lock with the local time.
#include "publish/remote_lock.h"

#include <algorithm>

#include "diag/catalog/git.h"

namespace capwright::publish {
namespace {

using git::ObjectId;
using git::PushResult;

constexpr int kMostAttempts = 4;  // other processes may interfere between two checks

}  // namespace

bool is_locked_there(const Sink& sink) {
  return std::any_of(sink.diagnostics().begin(), sink.diagnostics().end(),
                     [](const Diagnostic& fault) { return fault.info == &diag::ref_locked.info; });
}

void hand_on(const Sink& from, Sink& to) {
  for (const Diagnostic& fault : from.diagnostics()) to.add(*fault.info, fault.where, fault.message) = fault;
}

// Succeeds by taking the lock.
PushResult RemoteLock::swap(const Request& request, const std::optional<ObjectId>& before, Sink& sink) {
  ObjectId after;
  const PushResult result = remote_.swap_lock(
      {branch_, before, lock_text(request.self, "capwright publishes " + branch_), request.author}, after, sink);
  if (result != PushResult::Done) return result;
  taken_ = after;
  author_ = request.author;
  until_ = request.self.until;
  return result;
}

// An unreadable lock counts as expired.
std::optional<Holder> RemoteLock::holder_of(const ObjectId& lock, Sink& sink) {
  const std::optional<std::string> text = remote_.lock_text(branch_, lock, sink);
  if (sink.failed()) return std::nullopt;
  std::optional<Holder> holder = text ? steps::read_lock(*text) : std::nullopt;
  if (!holder) holder = Holder{"an unknown user", "an unknown host", 0, "", 0, 0};
  return holder;
}

RemoteLock::Answer RemoteLock::take(const Request& request, std::optional<Holder>& other, Sink& sink) {
  Sink faults;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    faults = Sink();
    std::optional<ObjectId> before;
    if (!remote_.find_lock(branch_, before, sink)) return Answer::Failed;
    if (before) {
      other = holder_of(*before, sink);
      if (!other) return Answer::Failed;
      const bool is_over = other->until <= request.author.seconds;
      const bool is_former =
          std::find(request.former.begin(), request.former.end(), other->run) != request.former.end();
      const bool is_ours = !other->run.empty() && (is_former || other->run == request.self.run);
      if (!is_over && !is_ours && !request.break_others) return Answer::Busy;
    }
    const PushResult swapped = swap(request, before, faults);
    if (swapped == PushResult::Done) return Answer::Taken;
    if (swapped == PushResult::Moved) continue;
    for (Diagnostic& fault : faults.diagnostics()) {
      if (swapped == PushResult::Declined)
        fault.advise(
            "to publish without a lock on the remote, set `publish: {lock: {remote: false}}` in capwright.yaml");
    }
    hand_on(faults, sink);
    return Answer::Failed;
  }
  if (!is_locked_there(faults)) return Answer::Busy;
  other.reset();
  hand_on(faults, sink);
  return Answer::Held;
}

bool RemoteLock::confirm(const Request& request, Sink& sink) {
  if (!taken_) return true;
  std::optional<ObjectId> now;
  if (!remote_.find_lock(branch_, now, sink)) return false;
  if (now != taken_) {
    taken_.reset();
    return false;
  }
  const std::int64_t left = until_ - request.author.seconds;
  if (left * 2 > request.self.until - request.author.seconds) return true;
  return swap(request, taken_, sink) == PushResult::Done;
}

void RemoteLock::release() {
  if (!taken_) return;
  Sink unseen;
  ObjectId none;
  static_cast<void>(remote_.swap_lock({branch_, taken_, std::nullopt, author_}, none, unseen));
  taken_.reset();
}

}  // namespace capwright::publish
