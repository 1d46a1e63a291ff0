// Gitea's API for publishing: the commit of a branch, its files, and one commit for many files. Based on version 1.26.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/object_id.h"
#include "gitea/repository_url.h"
#include "http/client.h"

namespace capwright::gitea {

struct Branch {
  git::ObjectId commit;
  bool is_protected = false;
  bool can_push = true;  // permission of the token's user
};

struct FileChange {
  std::string path;
  std::optional<git::ObjectId> before;  // the expected blob; empty: the file must not exist
  std::optional<std::string> bytes;     // empty: the file is deleted
};

struct Person {
  std::string name, email;
  std::string when;  // in RFC 3339 format
};

// One commit on top of `branch`.
struct ChangeRequest {
  std::string branch;
  std::string new_branch;  // receives the commit; empty: `branch` itself
  bool replaces = false;   // overwrites `new_branch` if it exists
  std::string message;
  Person author;
  std::vector<FileChange> files;
};

struct MadeCommit {
  git::ObjectId commit, tree;
  std::vector<git::ObjectId> parents;
};

enum class Outcome : std::uint8_t {
  Done,
  Unclear,    // the change may have succeeded, but the response is lost
  Overtaken,  // a concurrent change of the same branch
  Refused,    // files or branches have changed, or a rule of the host forbids it
  Forbidden,  // to this token, or for this branch
  Failed,     // nothing was changed
};

// Errors are reported to the Sink, without the token. Every outcome except Done has one.
class Api {
 public:
  // The client must outlive it.
  Api(http::Client& client, Place place, std::string token)
      : client_(client), place_(std::move(place)), token_(std::move(token)) {}

  const Place& place() const { return place_; }
  const std::string& token() const { return token_; }

  // Sets `branch`, to empty if it doesn't exist. Returns false after an error, for example if there is no such
  // repository.
  bool find_branch(const std::string& name, std::optional<Branch>& branch, Sink& sink);
  // All files of a commit, by path.
  bool list_files(const git::ObjectId& commit, std::map<std::string, git::ObjectId>& files, Sink& sink);
  // Reads from a branch; sets the text to empty if the file doesn't exist.
  bool read_file(const std::string& branch, const std::string& path, std::optional<std::string>& bytes, Sink& sink);
  // Atomic.
  Outcome change(const ChangeRequest& request, MadeCommit& made, Sink& sink);
  Outcome delete_branch(const std::string& name, Sink& sink);

 private:
  http::Response get(const std::string& path);
  Outcome judge(const http::Response& response, std::string_view what, std::size_t sent, Sink& sink);
  std::string words_of(const http::Response& response) const;
  bool misunderstood(std::string_view why, Sink& sink);

  http::Client& client_;
  const Place place_;
  const std::string token_;
};

}  // namespace capwright::gitea
