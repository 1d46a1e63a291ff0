// A Git repository as the rest of the compiler sees it: revisions, trees as file systems, changes. libgit2 is behind it
// in programs that are linked with it; tests may put something else there.
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
#include "git/remote.h"
#include "source/file_system.h"

namespace capwright::git {

// The files of one commit, read straight from Git's objects: bytes as they were committed, without the conversions of a
// checkout (line ends, LFS). Paths from the working directory start in the folder that files() was given, follow
// symbolic links inside the commit, and may be absolute where they lead into the work tree; outside there is nothing.
// Modes are 0644 or 0755, and of links 0777. A submodule is FileType::Other, and EREMOTE to readers; a missing
// or damaged object is ENODATA. Every change answers EROFS. Several threads may use one.
class CommitFiles : public FileSystem {
 public:
  // The name of the file's or folder's object. Links are followed as stat() does.
  virtual IoError object_id(PathAt path, ObjectId& id) = 0;
};

struct Head {
  std::string ref;                 // "refs/heads/main"; empty: on no branch
  std::optional<ObjectId> commit;  // nothing: the branch has no commit yet

  // "main"; empty: on no branch.
  std::string_view branch() const;
};

// A path of which two sides disagree.
struct PathChange {
  enum class Kind : std::uint8_t { Added, Deleted, Changed };
  Kind kind = Kind::Changed;
  std::string path;        // from the root of the repository
  ObjectId before, after;  // zero where there is none, or where it was not read (a file of the work tree)
};

// A branch, tag or other ref that is to lead elsewhere.
struct RefMove {
  std::string ref;                   // in full: "refs/heads/main"
  std::optional<ObjectId> expected;  // where it has to lead before; nothing: it must not exist
  ObjectId target;
  std::string reason;  // for `git reflog`
};

// What a commit says of itself.
struct CommitFacts {
  std::string message;
  Signature author;
  std::vector<ObjectId> parents;
};

// A file on two branches, and where these parted.
struct ThreeTexts {
  std::string_view base, ours, theirs;
};
enum class Favored : std::uint8_t { Ours, Theirs };

// Faults go to the Sink and leave the result empty. One thread at a time, but for what is said of CommitFiles.
class Repository {
 public:
  virtual ~Repository() = default;

  // The work tree's folder, absolute, without a slash at the end; empty for a bare repository.
  virtual const std::string& root() const = 0;
  // What this work tree has for itself (`.git`, `.git/worktrees/x`), and what all work trees of the repository share.
  virtual const std::string& private_folder() const = 0;
  virtual const std::string& shared_folder() const = 0;
  // `absolute` as seen from root(), "" for root() itself; nothing when it is outside.
  virtual std::optional<std::string> path_below_root(std::string_view absolute) const = 0;

  virtual std::optional<Head> head(Sink&) = 0;
  // The commit that a revision leads to, in the words of `git rev-parse`.
  virtual std::optional<ObjectId> commit(std::string_view revision, Sink&) = 0;
  virtual std::optional<CommitFacts> facts(const ObjectId& commit, Sink&) = 0;
  // Whether `ancestor` is `commit` or one of those it was made from. False, too, when one of them isn't here.
  virtual bool is_ancestor(const ObjectId& ancestor, const ObjectId& commit) = 0;
  // The commits that both go on from, as `git merge-base --all` finds them, sorted. Those that aren't here are left
  // out.
  virtual std::vector<ObjectId> merge_bases(const ObjectId& one, const ObjectId& other) = 0;
  // The commit that both `HEAD` and `revision` go on from, as `git merge-base` finds it.
  virtual std::optional<ObjectId> merge_base(const std::string& revision, Sink&) = 0;
  // Whether the clone was made with a part of the history: what is_ancestor() and merge_base() ask, and a push, may
  // need more.
  virtual bool is_shallow() = 0;
  // user.name and user.email.
  virtual std::optional<Identity> identity(Sink&) = 0;
  // An entry of Git's configuration; nothing when it isn't set.
  virtual std::optional<std::string> setting(const std::string& key) = 0;
  // The same of one that is a path: `~/` in front of it is the user's folder.
  virtual std::optional<std::string> path_setting(const std::string& key) = 0;
  // As configured, with insteadOf applied.
  virtual std::optional<std::string> remote_url(const std::string& remote, Sink&) = 0;

  // `folder` is the one that paths start in, from root(): "" or "fleets/eu". Outlived by the repository.
  virtual std::unique_ptr<CommitFiles> files(const ObjectId& commit, std::string_view folder, Sink&) = 0;
  // What Git calls a file with these bytes.
  virtual ObjectId blob_id(std::string_view bytes) const = 0;

  // What `git merge` makes of a file where `favored` wins conflicts: by each of libgit2's ways to compare lines, since
  // Git itself has another one. Several threads may ask.
  virtual std::vector<std::string> merged_texts(const ThreeTexts&, Favored favored) const = 0;

  // Paths that differ, sorted; a renamed file is one that is deleted and one that is added.
  virtual std::optional<std::vector<PathChange>> changes(const ObjectId& before, const ObjectId& after, Sink&) = 0;
  // The same of a commit and the files on disk. Files that Git is told to ignore don't count, other new ones do.
  virtual std::optional<std::vector<PathChange>> changes_on_disk(const ObjectId& before, Sink&) = 0;

  // Writes the objects of a commit; it is the parent itself when nothing changes. No branch leads to it until
  // move_ref(), and where that fails `git gc` collects it. Index and work tree are not looked at.
  virtual std::optional<ObjectId> make_commit(const CommitRequest&, Sink&) = 0;
  // Where a ref leads to, through symbolic ones.
  virtual std::optional<ObjectId> ref_target(const std::string& ref) = 0;
  // In one step. False: the ref is what it was, and the Sink says why. Of a branch that is checked out, index and work
  // tree stay behind: `git status` then shows the commit as undone.
  virtual bool move_ref(const RefMove&, Sink&) = 0;

  // `remote` is a name or a URL, here and in the requests.
  virtual std::optional<RemoteRefs> remote_refs(const std::string& remote, const RemoteAccess&, Sink&) = 0;
  // The hooks that `git push` has the remote run, and push() doesn't: of a remote that is a folder of this machine.
  virtual std::vector<std::string> skipped_hooks(const std::string& remote) = 0;
  // Compare and swap on the other side. The user's hooks (pre-push) don't run. The branch `origin/…` follows.
  virtual PushResult push(const PushRequest&, const RemoteAccess&, Sink&) = 0;
  // The commit that the branch leads to, which is here then.
  virtual std::optional<ObjectId> fetch(const FetchRequest&, const RemoteAccess&, Sink&) = 0;
};

// Whether this program is linked with libgit2. If not, open_repository() must not be called.
bool has_libgit2();

// The repository that `path` lies in. Null: there is none, or it can't be used; the Sink says why.
std::unique_ptr<Repository> open_repository(const std::string& path, Sink&);

}  // namespace capwright::git
