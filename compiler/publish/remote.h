// The other side of a publication: a branch that is to have a commit, and the lock that goes with it. Git's protocol is
// behind it, or a host's API.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/repository.h"

namespace capwright::publish {

// A branch is to have a commit, if it is where it is expected to be.
struct Delivery {
  std::string branch;                     // "main"
  std::optional<git::ObjectId> expected;  // nothing: it must not exist
  git::ObjectId commit;                   // of this repository
  std::string base;  // the branch that has the commit's parent: `branch` itself, but for pull requests
};

enum class Sent : std::uint8_t {
  Done,
  Moved,      // the branch, or its base, isn't where it was expected: render again from what it is
  Mixed,      // it is there, but on top of somebody else's commit: render again, too
  Protected,  // the host wants a pull request
  Failed,     // as Protected, the Sink says why
};

// What stands under the lock's name, to be replaced if it is what it was.
struct LockSwap {
  std::string branch;                   // that the lock is of
  std::optional<git::ObjectId> before;  // as find_lock() gave it; nothing: there must be none
  std::optional<std::string> text;      // nothing: it is deleted
  git::Signature author;
};

// Whether a push found a ref locked: another one is under way there, or was killed.
bool is_locked_there(const Sink& sink);
// What was found out in one attempt, for who makes no other.
void hand_on(const Sink& from, Sink& to);

// Faults go to the Sink.
class Remote {
 public:
  virtual ~Remote() = default;
  // What it does in another way than the user's Git would; a line each.
  virtual std::vector<std::string> remarks() { return {}; }
  // Whether commits of this repository come there as they are; else only their files do, and what a branch then has
  // is another commit.
  virtual bool takes_commits() const = 0;

  // Where a branch is; nothing: there is none. False: a fault.
  virtual bool find(const std::string& branch, std::optional<git::ObjectId>& tip, Sink& sink) = 0;
  // The commit that a branch leads to, which is here then; the local ref `into` leads to it.
  virtual std::optional<git::ObjectId> fetch(const std::string& branch, const std::string& into, Sink& sink) = 0;
  // `arrived`, when it is Done or Mixed: the commit that the branch has.
  virtual Sent send(const Delivery& delivery, git::ObjectId& arrived, Sink& sink) = 0;

  // The name of what stands under the lock's; nothing: nothing does. False: a fault.
  virtual bool find_lock(const std::string& branch, std::optional<git::ObjectId>& lock, Sink& sink) = 0;
  // Nothing without a fault: it is no longer what stands there.
  virtual std::optional<std::string> lock_text(const std::string& branch, const git::ObjectId& lock, Sink& sink) = 0;
  // `after`: its name when it is done, and there is a text.
  virtual git::PushResult swap_lock(const LockSwap& swap, git::ObjectId& after, Sink& sink) = 0;
};

}  // namespace capwright::publish
