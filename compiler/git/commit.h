// What a commit is made of. Made in memory and written as objects, it touches neither the index nor the work tree.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "git/object_id.h"

namespace capwright::git {

struct Identity {
  std::string name, email;
};

// Who did something, and when. The time is an argument: nobody here reads a clock.
struct Signature {
  Identity who;
  std::int64_t seconds = 0;  // since 1970 in UTC
  int minutes_east = 0;      // of the place, from UTC
};

// A path from the repository's root, and what is there after the commit.
struct FileChange {
  std::string path;
  std::optional<std::string_view> bytes;  // nothing: the file, or the folder with all in it, is deleted if it is there
  bool executable = false;
};

// The signature of a commit's text, armoured; nothing: there is none, and the one who was asked has said why.
using Signer = std::function<std::optional<std::string>(std::string_view commit)>;

struct CommitRequest {
  std::optional<ObjectId> parent;   // nothing: the first commit of a history
  std::vector<FileChange> changes;  // to the parent's files, in any order; the bytes live until the commit is made
  std::string message;
  Signature author, committer;
  Signer sign;  // empty: not signed
};

// "subject\n\nbody\n\nKey: value\n": line breaks in values become spaces, an empty body is left out.
std::string commit_message(std::string_view subject, std::string_view body,
                           const std::vector<std::pair<std::string, std::string>>& trailers);

}  // namespace capwright::git
