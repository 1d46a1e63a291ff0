// Other repositories: requests to them, and how to reach them.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "git/object_id.h"
#include "source/process.h"

namespace capwright::git {

struct Login {
  std::string user, password;  // the password may be a token
};

// Credentials are tried in this order, each once. Never prompts on a terminal. Messages contain no passwords.
struct RemoteAccess {
  // Runs `git credential fill`, which uses Git's configuration; null: don't run it.
  Programs* programs = nullptr;
  std::optional<Login> login;  // for http and https, before Git's own credentials
  std::string ssh_key;         // a private key without a passphrase, tried before the keys of the running ssh-agent
};

// The commits of the other repository's refs, by full name: "refs/heads/main".
using RemoteRefs = std::map<std::string, ObjectId>;

// Changes one ref of `remote` (a name or a URL), if it has the expected value.
struct PushRequest {
  std::string remote;
  std::string ref;                   // full name
  std::optional<ObjectId> expected;  // empty: it must not exist
  std::optional<ObjectId> target;    // empty: it is deleted
};

enum class PushResult : std::uint8_t {
  Done,
  Moved,     // the ref has changed: start again from its new value
  Declined,  // by a hook or a rule of the host: a retry will be declined, too
  Failed,    // credentials, network, protocol; after a broken connection the push may have succeeded
};

struct FetchRequest {
  std::string remote;
  std::string branch;  // "main", or a full ref: "refs/capwright/lock/main"
  std::string into;    // "refs/remotes/origin/main": will have the same commit
};

// A URL without possible secrets, for messages.
std::string shown_url(std::string_view url);

}  // namespace capwright::git
