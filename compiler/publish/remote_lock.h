// One publication at a time to a branch, from whatever machine: something on the remote that says who has it until
// when. It is made, renewed and deleted by compare-and-swap.
#pragma once
#include <optional>
#include <string>

#include "publish/holder.h"
#include "publish/remote.h"

namespace capwright::publish {

class RemoteLock {
 public:
  // Outlived by the remote.
  RemoteLock(Remote& remote, std::string branch) : remote_(remote), branch_(std::move(branch)) {}

  enum class Answer : std::uint8_t {
    Taken,
    Busy,
    Held,  // by a Git that writes there in this moment, or was killed and left its own lock file: the Sink names it
    Failed,
  };
  struct Request {
    Holder self;
    git::Signature author;  // its time is the present
    std::string former;     // a run of this clone that is known to be dead; its lock is taken over
    bool break_others = false;
  };
  // Busy: `other` has it, if that is known. Taken: `other` had it, if anybody: it was over, broken, or a dead run's.
  Answer take(const Request& request, std::optional<Holder>& other, Sink& sink);
  bool is_taken() const { return taken_.has_value(); }
  // Whether it is there and ours still; with less than half of its time left it is renewed. False without a fault:
  // somebody has taken it.
  bool confirm(const Request& request, Sink& sink);
  // It ends by itself, too, where this doesn't come through.
  void release();

 private:
  git::PushResult swap(const Request& request, const std::optional<git::ObjectId>& before, Sink& sink);
  std::optional<Holder> holder_of(const git::ObjectId& lock, Sink& sink);

  Remote& remote_;
  const std::string branch_;
  std::optional<git::ObjectId> taken_;
  git::Signature author_;  // of the one that is taken
  std::int64_t until_ = 0;
};

}  // namespace capwright::publish
