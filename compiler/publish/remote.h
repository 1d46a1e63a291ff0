// The destination of a publication: a branch that receives a commit, and its lock. Implemented by Git's protocol, or by
// a host's API.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/repository.h"

namespace capwright::publish {

// A commit for a branch, under the condition that the branch is where it is expected.
struct Delivery {
  std::string branch;                     // "main"
  std::optional<git::ObjectId> expected;  // empty: the branch must not exist
  git::ObjectId commit;                   // in this repository
  std::string base;  // the branch with the commit's parent: `branch` itself, except for pull requests
};

enum class SendResult : std::uint8_t {
  Done,
  Moved,      // the branch, or its base, isn't where it was expected: render again on its new tip
  Mixed,      // delivered, but on top of a concurrent commit: render again, too
  Protected,  // the host requires a pull request
  Failed,     // as for Protected, the Sink has the reason
};

// A replacement of the lock, under the condition that it is unchanged.
struct LockSwap {
  std::string branch;                   // the locked branch
  std::optional<git::ObjectId> before;  // from find_lock(); empty: there must be no lock
  std::optional<std::string> text;      // empty: delete the lock
  git::Signature author;
};

// Where a clone keeps what it knows of a remote's branch.
inline std::string tracking_ref(const std::string& remote, const std::string& branch) {
  return "refs/remotes/" + remote + "/" + branch;
}
// The branches among the refs of a remote.
std::map<std::string, git::ObjectId> branches_of(const git::RemoteRefs& refs);
// Whether the words with which a host declined a push say that the branch takes only pull requests.
bool speaks_of_protection(const Sink& sink);
// Whether a push failed because a ref is locked: by a concurrent push, or by one that was killed.
bool is_locked_there(const Sink& sink);
// Copies the diagnostics of one attempt that isn't repeated.
void hand_on(const Sink& from, Sink& to);

// Reports errors to the Sink.
class Remote {
 public:
  virtual ~Remote() = default;
  // Differences from the user's Git, one line each.
  virtual std::vector<std::string> remarks() { return {}; }
  // Whether it receives commits of this repository unchanged; otherwise it only receives their files, and the branch
  // gets a different commit.
  virtual bool takes_commits() const = 0;

  // Finds the tip of a branch; empty: it doesn't exist. Returns false after an error.
  virtual bool find(const std::string& branch, std::optional<git::ObjectId>& tip, Sink& sink) = 0;
  // Finds the tips of all branches, by name. Returns false after an error.
  virtual bool find_branches(std::map<std::string, git::ObjectId>& tips, Sink& sink) = 0;
  // Fetches the tip of a branch, and points the local ref `into` at it.
  virtual std::optional<git::ObjectId> fetch(const std::string& branch, const std::string& into, Sink& sink) = 0;
  // `arrived`, for Done or Mixed: the new tip of the branch.
  virtual SendResult send(const Delivery& delivery, git::ObjectId& arrived, Sink& sink) = 0;

  // Finds the id of the lock; empty: there is none. Returns false after an error.
  virtual bool find_lock(const std::string& branch, std::optional<git::ObjectId>& lock, Sink& sink) = 0;
  // Empty without an error: the lock has changed.
  virtual std::optional<std::string> lock_text(const std::string& branch, const git::ObjectId& lock, Sink& sink) = 0;
  // `after`: the new id, if it succeeded and there is a text.
  virtual git::PushResult swap_lock(const LockSwap& swap, git::ObjectId& after, Sink& sink) = 0;
};

}  // namespace capwright::publish
