// Other repositories: what is asked of them, and how they may be reached.
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

// Credentials are looked for in this order, and each is tried once. No terminal is asked. Passwords are in no message.
struct RemoteAccess {
  // Where `git credential fill` runs, which knows what Git is configured with; null: it isn't asked.
  Programs* programs = nullptr;
  std::optional<Login> login;  // for http and https, before what Git knows
  std::string ssh_key;  // a private key without passphrase; empty, or after it: the keys of the running ssh-agent
};

// What a ref of the other repository leads to, by its full name: "refs/heads/main".
using RemoteRefs = std::map<std::string, ObjectId>;

// One ref of `remote` (a name or a URL) is to change, if it is what it is expected to be.
struct PushRequest {
  std::string remote;
  std::string ref;                   // in full
  std::optional<ObjectId> expected;  // nothing: it must not exist
  std::optional<ObjectId> target;    // nothing: it is deleted
};

enum class PushResult : std::uint8_t {
  Done,
  Moved,     // the ref isn't what was expected: start again from what it is
  Declined,  // by a hook or a rule of the host: the same again will be declined, too
  Failed,    // credentials, network, protocol; after a broken connection the push may yet have come through
};

struct FetchRequest {
  std::string remote;
  std::string branch;  // "main", or a ref in full: "refs/capwright/lock/main"
  std::string into;    // "refs/remotes/origin/main": leads to the same commit then
};

// A URL without what may be a secret, for messages.
std::string shown_url(std::string_view url);

}  // namespace capwright::git
