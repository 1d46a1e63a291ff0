// Allows one publication at a time to a branch, from any machine: a lock on the remote with its holder and expiry. It
// is created, renewed and deleted by compare-and-swap.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "publish/remote.h"
#include "steps/holder.h"

namespace capwright::publish {

using steps::Holder;

class RemoteLock {
 public:
  // `remote` must outlive it.
  RemoteLock(Remote& remote, std::string branch) : remote_(remote), branch_(std::move(branch)) {}

  enum class Answer : std::uint8_t {
    Taken,
    Busy,
    Held,  // a concurrent Git process, or a killed one that left its lock file: the Sink names it
    Failed,
  };
  struct Request {
    Holder self;
    git::Signature author;                 // its time is the current time
    std::vector<std::string> former = {};  // runs of this clone that are known to be dead; their lock is replaced
    bool break_others = false;
  };
  // Busy: `other` holds it, if known. Taken: `other` is the previous holder, if any: its lock was expired, unreadable,
  // or of a dead run.
  Answer take(const Request& request, std::optional<Holder>& other, Sink& sink);
  bool is_taken() const { return taken_.has_value(); }
  // Whether the lock still belongs to this run; renews it after half of its time. False without an error: another
  // process has taken it.
  bool confirm(const Request& request, Sink& sink);
  // If this fails, the lock expires.
  void release();

 private:
  git::PushResult swap(const Request& request, const std::optional<git::ObjectId>& before, Sink& sink);
  std::optional<Holder> holder_of(const git::ObjectId& lock, Sink& sink);

  Remote& remote_;
  const std::string branch_;
  std::optional<git::ObjectId> taken_;
  git::Signature author_;  // of the taken lock
  std::int64_t until_ = 0;
};

}  // namespace capwright::publish
