// The data of a commit. Commits are created in memory and written as objects, without changing the index or working
// tree.
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

// A person and a time. The time is an argument: this folder never reads the clock.
struct Signature {
  Identity who;
  std::int64_t seconds = 0;  // since 1970 in UTC
  int minutes_east = 0;      // offset from UTC
};

// A path from the repository's root, and its content after the commit.
struct FileChange {
  std::string path;
  std::optional<std::string_view> bytes;  // empty: deletes the file, or the directory with its content, if any
  bool executable = false;
};

// The armoured signature of a commit's text; empty if signing failed, which the signer has reported.
using Signer = std::function<std::optional<std::string>(std::string_view commit)>;

struct CommitRequest {
  std::optional<ObjectId> parent;   // empty: the first commit of a history
  std::vector<FileChange> changes;  // to the parent's files, in any order; the bytes must live until make_commit()
  std::string message;
  Signature author, committer;
  Signer sign;  // empty: not signed
};

// "subject
//
// body
//
// Key: value
// ": line breaks in values become spaces; an empty body is omitted.
std::string commit_message(std::string_view subject, std::string_view body,
                           const std::vector<std::pair<std::string, std::string>>& trailers);

}  // namespace capwright::git
