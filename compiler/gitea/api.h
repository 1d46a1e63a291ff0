// What publishing asks of a Gitea: where a branch is, which files it has, and one commit for many files. Facts of its
// version 1.26.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diag/diag.h"
#include "git/object_id.h"
#include "gitea/place.h"
#include "http/client.h"

namespace capwright::gitea {

struct Branch {
  git::ObjectId commit;
  bool is_protected = false;
  bool can_push = true;  // whoever the token is of
};

struct FileChange {
  std::string path;
  std::optional<git::ObjectId> before;  // what the file has to be; nothing: it must not exist
  std::optional<std::string> bytes;     // nothing: it is deleted
};

struct Person {
  std::string name, email;
  std::string when;  // as RFC 3339 has it
};

// One commit on top of `branch`.
struct ChangeRequest {
  std::string branch;
  std::string new_branch;  // that has it; empty: `branch` itself
  bool replaces = false;   // whatever `new_branch` has
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
  Unclear,    // it may have come through, and the answer is lost
  Overtaken,  // another change of the same branch was at work in this moment
  Refused,    // files or branches aren't what was expected, or a rule of the host is in the way
  Forbidden,  // to this token, or for this branch
  Failed,     // nothing came through
};

// Faults go to the Sink, without the token. All that is not Done has one.
class Api {
 public:
  // Outlived by the client.
  Api(http::Client& client, Place place, std::string token)
      : client_(client), place_(std::move(place)), token_(std::move(token)) {}

  const Place& place() const { return place_; }
  const std::string& token() const { return token_; }

  // Nothing: there is none of this name. False: a fault, for instance that there is no such repository.
  bool find_branch(const std::string& name, std::optional<Branch>& branch, Sink& sink);
  // All files of a commit, by path.
  bool list_files(const git::ObjectId& commit, std::map<std::string, git::ObjectId>& files, Sink& sink);
  // Of a branch; nothing: it has no such file.
  bool read_file(const std::string& branch, const std::string& path, std::optional<std::string>& bytes, Sink& sink);
  // All of it or nothing.
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
