// A Git repository for the rest of the compiler: revisions, trees as file systems, changes. Programs with libgit2 use
// that; tests may use a fake.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "git/commit.h"
#include "git/object_id.h"
#include "git/remote_access.h"
#include "source/file_system.h"
#include "source/process.h"

namespace capwright::git {

// The files of one commit, read directly from Git's objects: bytes as committed, without the conversions of a checkout
// (line endings, LFS). Paths from the working directory start in the directory given to files(), follow symbolic links
// inside the commit, and may be absolute if they lead into the working tree; nothing exists outside of it. Modes are
// 0644 or 0755, and 0777 for links. A submodule is FileType::Other, and EREMOTE for readers; a missing or damaged
// object is ENODATA. Every change returns EROFS. Several threads may use one.
class CommitFiles : public FileSystem {
 public:
  // The id of the file's or directory's object. Links are followed as in stat().
  virtual IoError object_id(PathAt path, ObjectId& id) = 0;
  // The first missing or damaged object that a call needed. A caller may then have treated a file as absent.
  virtual std::optional<ObjectId> unreadable() const = 0;
};

struct Head {
  std::string ref;                 // "refs/heads/main"; empty: detached
  std::optional<ObjectId> commit;  // empty: the branch has no commit yet

  // "main"; empty: detached.
  std::string_view branch() const;
};

// A path that differs between two sides.
struct PathChange {
  enum class Kind : std::uint8_t { Added, Deleted, Changed };
  Kind kind = Kind::Changed;
  std::string path;        // relative to the root of the repository
  ObjectId before, after;  // zero if there is none, or if it was not read (a file of the working tree)
};

// A change of a branch, tag or other ref.
struct RefMove {
  std::string ref;                   // full name: "refs/heads/main"
  std::optional<ObjectId> expected;  // its expected value; empty: it must not exist
  ObjectId target;
  std::string reason;  // for `git reflog`
};

// A commit's metadata.
struct CommitFacts {
  std::string message;
  Signature author;
  std::vector<ObjectId> parents;
};

// A file on two branches, and at their merge base.
struct ThreeTexts {
  std::string_view base, ours, theirs;
};
enum class Favored : std::uint8_t { Ours, Theirs };

// Errors are reported to the Sink and leave the result empty. For one thread at a time, except for CommitFiles.
class Repository {
 public:
  virtual ~Repository() = default;

  // The working tree's directory, absolute, without a trailing slash; empty for a bare repository.
  virtual const std::string& root() const = 0;
  // The directory of this working tree (`.git`, `.git/worktrees/x`), and the one that all working trees of the
  // repository share.
  virtual const std::string& private_folder() const = 0;
  virtual const std::string& shared_folder() const = 0;
  // `absolute` relative to root(), "" for root() itself; empty optional if it is outside.
  virtual std::optional<std::string> path_below_root(std::string_view absolute) const = 0;

  virtual std::optional<Head> head(Sink&) = 0;
  // The commit of a revision, in the syntax of `git rev-parse`.
  virtual std::optional<ObjectId> commit(std::string_view revision, Sink&) = 0;
  virtual std::optional<CommitFacts> facts(const ObjectId& commit, Sink&) = 0;
  // Whether `ancestor` is `commit` or one of its ancestors. Also false if one of them isn't available locally.
  virtual bool is_ancestor(const ObjectId& ancestor, const ObjectId& commit) = 0;
  // The merge bases, as `git merge-base --all` finds them, sorted. Those that aren't available locally are omitted.
  virtual std::vector<ObjectId> merge_bases(const ObjectId& one, const ObjectId& other) = 0;
  // The merge base of `HEAD` and `revision`, as `git merge-base` finds it.
  virtual std::optional<ObjectId> merge_base(const std::string& revision, Sink&) = 0;
  // Whether the clone has only a part of the history: is_ancestor(), merge_base() and a push may need more.
  virtual bool is_shallow() = 0;
  // Whether the clone was made without some objects (`git clone --filter`), which Git fetches when it needs them.
  virtual bool is_partial() = 0;
  // user.name and user.email.
  virtual std::optional<Identity> identity(Sink&) = 0;
  // An entry of Git's configuration; empty if it isn't set.
  virtual std::optional<std::string> setting(const std::string& key) = 0;
  // The same for a path: `~/` at the start is the user's home directory.
  virtual std::optional<std::string> path_setting(const std::string& key) = 0;
  // As configured, with insteadOf applied.
  virtual std::optional<std::string> remote_url(const std::string& remote, Sink&) = 0;

  // `folder` is the directory where paths start, from root(): "" or "fleets/eu". The repository must outlive it.
  virtual std::unique_ptr<CommitFiles> files(const ObjectId& commit, std::string_view folder, Sink&) = 0;
  // Git's id for a file with these bytes.
  virtual ObjectId blob_id(std::string_view bytes) const = 0;

  // The results of `git merge` for a file, where `favored` wins conflicts: one for each of libgit2's ways to compare
  // lines, because Git uses another one. Thread-safe.
  virtual std::vector<std::string> merged_texts(const ThreeTexts&, Favored favored) const = 0;

  // The changed paths, sorted; a renamed file is a deletion and an addition.
  virtual std::optional<std::vector<PathChange>> changes(const ObjectId& before, const ObjectId& after, Sink&) = 0;
  // The same between a commit and the files on disk. Ignored files don't count, other new ones do.
  virtual std::optional<std::vector<PathChange>> changes_on_disk(const ObjectId& before, Sink&) = 0;

  // Writes the objects of a commit; returns the parent itself if nothing changes. No branch refers to it until
  // move_ref(); if that fails, `git gc` collects it. Ignores index and working tree.
  virtual std::optional<ObjectId> make_commit(const CommitRequest&, Sink&) = 0;
  // The commit of a ref, through symbolic refs.
  virtual std::optional<ObjectId> ref_target(const std::string& ref) = 0;
  // Atomic. False: the ref is unchanged, and the Sink has the reason. If the branch is checked out, index and working
  // tree are not updated: `git status` then shows the commit as undone.
  virtual bool move_ref(const RefMove&, Sink&) = 0;

  // `remote` is a name or a URL, here and in the requests.
  virtual std::optional<RemoteRefs> remote_refs(const std::string& remote, const RemoteAccess&, Sink&) = 0;
  // The hooks that the remote runs for `git push` but not for push(): for a remote that is a directory on this machine.
  virtual std::vector<std::string> skipped_hooks(const std::string& remote) = 0;
  // Compare and swap on the remote. Doesn't run the user's hooks (pre-push). Updates the branch `origin/…`.
  virtual PushResult push(const PushRequest&, const RemoteAccess&, Sink&) = 0;
  // Fetches the branch and returns its commit.
  virtual std::optional<ObjectId> fetch(const FetchRequest&, const RemoteAccess&, Sink&) = 0;
};

// Reports that objects of a commit are missing; `revision` is its name in the message.
void report_missing_objects(Repository&, std::string revision, const ObjectId& object, Sink&);

// The repository that contains `path`. Null: there is none, or it can't be used; the Sink has the reason.
std::unique_ptr<Repository> open_repository(const std::string& path, Sink&);

// Signs commits with the programs of Git's configuration.

// Whether commit.gpgsign is set.
bool signs_commits(Repository&);

// Signs like `git commit -S`: by gpg.format `openpgp` (the default), `ssh` or `x509`, with the key user.signingkey, or
// the committer's. For `ssh` the key is a file. Errors are reported when it signs. Repository, Programs and Sink must
// outlive it.
Signer configured_signer(Repository&, Programs&, const Identity& committer, Sink&);

}  // namespace capwright::git
