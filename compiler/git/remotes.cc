// Pushes one ref by compare-and-swap, and fetches one branch.
#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/git.h"
#include "git/connection.h"
#include "git/local_repository.h"
#include "source/real_fs.h"

namespace capwright::git {
namespace {

// The hooks that receive-pack runs on the other side (githooks(5)).
constexpr const char* kReceivingHooks[] = {"pre-receive", "update", "post-receive", "post-update",
                                           "reference-transaction"};

constexpr std::string_view kPushedRefs = "refs/capwright/pushed/";

std::optional<ObjectId> find_ref(const RemoteRefs& refs, const std::string& name) {
  const auto found = refs.find(name);
  return found == refs.end() ? std::nullopt : std::optional(found->second);
}

std::string shown_id(const std::optional<ObjectId>& id) { return id ? short_hex(*id) : "no commit"; }

std::string printable(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) kept.push_back(c);
  }
  return kept;
}

// libgit2 pushes only refs: this one points to the commit during the push. A killed process leaves it, and the next
// push of the same commit removes it.
class PushedRef {
 public:
  PushedRef(git_repository* repository, const std::optional<ObjectId>& target) : repository_(repository) {
    if (!target) return;
    const git_oid oid = as_oid(*target);
    // A process that was killed while writing this name has left it locked.
    for (int i = 0; i < kMostNames && name_.empty(); ++i) {
      const std::string name = fmt::format("{}{}-{}", kPushedRefs, hex(*target), i);
      ReferenceHandle made;
      answer_ = receive(
          made, [&](auto out) { return git_reference_create(out, repository, name.c_str(), &oid, 1, "while pushed"); });
      if (answer_ == 0) name_ = name;
      else if (answer_ != GIT_ELOCKED) return;
    }
  }
  ~PushedRef() {
    if (!name_.empty()) git_reference_remove(repository_, name_.c_str());
  }
  PushedRef(const PushedRef&) = delete;
  PushedRef& operator=(const PushedRef&) = delete;
  const std::string& name() const { return name_; }
  int answer() const { return answer_; }

 private:
  static constexpr int kMostNames = 16;

  git_repository* repository_;
  std::string name_;
  int answer_ = 0;
};

// The errors of Git, and of libgit2 for directories, while another push changes the same ref; Git may only print it.
bool is_held_by_another(const Connection& connection) {
  const auto says = [](std::string_view text) {
    return text.find("failed to lock") != std::string_view::npos ||
           text.find("cannot lock ref") != std::string_view::npos;
  };
  const std::vector<std::string> words = connection.remote_words();
  return says(connection.refusal()) ||
         (connection.refusal() == "failed to update ref" && std::any_of(words.begin(), words.end(), says));
}

// The directory of a remote on this machine; empty for other remotes.
std::string local_folder(std::string_view url) {
  if (url.starts_with("file://")) url.remove_prefix(7);
  const bool is_path = url.find("://") == std::string_view::npos && url.find('%') == std::string_view::npos &&
                       (url.find(':') == std::string_view::npos || url.find(':') > url.find('/'));
  return is_path ? std::string(url) : "";
}

// Atomic, in a repository that is open here. Returns libgit2's code.
int swap_ref(git_repository* repository, const PushRequest& push) {
  ReferenceHandle ref;
  const git_oid target = as_oid(push.target.value_or(ObjectId()));
  const git_oid expected = as_oid(push.expected.value_or(ObjectId()));
  const char* name = push.ref.c_str();
  if (push.target && !push.expected)
    return receive(ref, [&](auto out) { return git_reference_create(out, repository, name, &target, 0, "push"); });
  if (push.target) {
    return receive(ref, [&](auto out) {
      return git_reference_create_matching(out, repository, name, &target, 1, &expected, "push");
    });
  }
  const int answer = receive(ref, [&](auto out) { return git_reference_lookup(out, repository, name); });
  if (answer != 0) return answer;
  if (push.expected != from_oid(git_reference_target(ref.get()))) return GIT_EMODIFIED;
  return git_reference_delete(ref.get());  // unless it has changed since
}

// Also those that killed processes have left. Another process that pushes now doesn't need its ref: its commit has
// arrived.
void remove_pushed_refs(git_repository* repository) {
  std::vector<std::string> names;
  const auto add = [](const char* name, void* found) {
    static_cast<std::vector<std::string>*>(found)->emplace_back(name);
    return 0;
  };
  git_reference_foreach_glob(repository, fmt::format("{}*", kPushedRefs).c_str(), add, &names);
  for (const std::string& name : names) git_reference_remove(repository, name.c_str());
}

PushResult report_moved(const PushRequest& push, const std::optional<ObjectId>& now, const Connection& connection,
                        Sink& sink) {
  sink.report(diag::remote_ref_moved, Span(), connection.url(), push.ref, shown_id(now), shown_id(push.expected))
      .advise("run `git fetch`, then run the command again");
  return PushResult::Moved;
}

}  // namespace

// By its name, or by a URL. Git resolves a relative path from the top of the working tree, libgit2 from the working
// directory of the process.
void LocalRepository::anchor_paths(git_remote* remote) const {
  const auto anchored = [this](const char* url) {
    const std::string folder = url == nullptr ? "" : local_folder(url);
    return folder.empty() || folder.starts_with('/') ? std::string() : shown() + "/" + folder;
  };
  const std::string url = anchored(git_remote_url(remote)), pushurl = anchored(git_remote_pushurl(remote));
  if (!url.empty()) git_remote_set_instance_url(remote, url.c_str());
  if (!pushurl.empty()) git_remote_set_instance_pushurl(remote, pushurl.c_str());
}

RemoteHandle LocalRepository::find_remote(const std::string& remote, Sink& sink) {
  RemoteHandle found;
  if (receive(found, [&](auto out) { return git_remote_lookup(out, repository_.get(), remote.c_str()); }) == 0) {
    anchor_paths(found.get());
    return found;
  }
  if (remote.find_first_of("/:") == std::string::npos) {
    remote_url(remote, sink);  // reports that there is none, and lists the others
    return nullptr;
  }
  const int answer =
      receive(found, [&](auto out) { return git_remote_create_anonymous(out, repository_.get(), remote.c_str()); });
  if (answer != 0) sink.report(diag::url_not_understood, Span(), shown_url(remote));
  return found;
}

std::optional<RemoteRefs> LocalRepository::remote_refs(const std::string& remote, const RemoteAccess& access,
                                                       Sink& sink) {
  const RemoteHandle handle = find_remote(remote, sink);
  if (handle == nullptr) return std::nullopt;
  Connection connection(handle.get(), shared_folder_, access);
  RemoteRefs refs;
  if (!connection.open(GIT_DIRECTION_FETCH, sink) || !connection.refs(refs, sink)) return std::nullopt;
  return refs;
}

std::vector<std::string> LocalRepository::skipped_hooks(const std::string& remote) {
  Sink unused;
  const RemoteHandle handle = find_remote(remote, unused);
  const char* url = handle == nullptr ? nullptr : git_remote_url(handle.get());
  const std::string folder = url == nullptr ? "" : local_folder(url);
  RepositoryHandle there;
  if (folder.empty() || receive(there, [&](auto out) { return git_repository_open(out, folder.c_str()); }) != 0)
    return {};
  std::string hooks = std::string(git_repository_commondir(there.get())) + "hooks";
  ConfigHandle config;
  Buffer configured;
  if (receive(config, [&](auto out) { return git_repository_config_snapshot(out, there.get()); }) == 0 &&
      git_config_get_path(&configured, config.get(), "core.hooksPath") == 0) {
    const std::string path(configured.text());  // receive-pack runs in the repository's own directory
    hooks = path.starts_with('/') ? path : git_repository_path(there.get()) + path;
  }
  RealFs files;
  std::vector<std::string> found;
  for (const char* hook : kReceivingHooks) {
    FileStat stat;
    const bool runs =
        !files.stat(hooks + "/" + hook, stat) && stat.type == FileType::Regular && (stat.mode & 0111) != 0;
    if (runs) found.emplace_back(hook);
  }
  return found;
}

PushResult LocalRepository::push(const PushRequest& push, const RemoteAccess& access, Sink& sink) {
  int valid = 0;
  if (git_reference_name_is_valid(&valid, push.ref.c_str()) != 0 || valid == 0) {
    sink.report(diag::no_ref_name, Span(), push.ref);
    return PushResult::Failed;
  }
  const RemoteHandle remote = find_remote(push.remote, sink);
  if (remote == nullptr) return PushResult::Failed;
  Connection connection(remote.get(), shared_folder_, access);
  RemoteRefs refs;
  if (!connection.open(GIT_DIRECTION_PUSH, sink) || !connection.refs(refs, sink)) return PushResult::Failed;
  const std::optional<ObjectId> before = find_ref(refs, push.ref);
  if (before != push.expected) return report_moved(push, before, connection, sink);
  if (before == push.target) return PushResult::Done;
  // The push may replace only the value that this connection has seen: the host rejects it if that has changed. The
  // plus only disables libgit2's own comparison, which would need the host's commits locally.
  const PushedRef pushed(repository_.get(), push.target);
  if (pushed.answer() != 0) {
    sink.report(diag::commit_not_written, Span(), reason(pushed.answer()));
    return PushResult::Failed;
  }
  if (const std::string folder = local_folder(git_remote_url(remote.get())); !folder.empty()) {
    const PushResult result = push_to_folder(push, folder, pushed.name(), connection, sink);
    if (result == PushResult::Done) note_pushed(remote.get(), push);
    return result;
  }
  const int answer = connection.upload(fmt::format("{}:{}", push.target ? "+" + pushed.name() : "", push.ref));
  if (answer != 0) {
    connection.report(answer, sink);
    return PushResult::Failed;
  }
  if (!connection.refusal().empty()) return refused(push, access, connection, sink);
  note_pushed(remote.get(), push);
  return PushResult::Done;
}

// libgit2's push to a directory overwrites any value. So the commit is pushed under a separate name, and then the ref
// moves like a local one.
PushResult LocalRepository::push_to_folder(const PushRequest& push, const std::string& folder,
                                           const std::string& pushed, Connection& connection, Sink& sink) {
  RepositoryHandle there;
  int answer = receive(there, [&](auto out) { return git_repository_open(out, folder.c_str()); });
  if (answer == 0 && push.target) answer = connection.upload(fmt::format("+{}:{}", pushed, pushed));
  if (answer != 0) {
    connection.report(answer, sink);
    return PushResult::Failed;
  }
  answer = swap_ref(there.get(), push);
  if (push.target) remove_pushed_refs(there.get());
  if (answer == 0) return PushResult::Done;
  if (answer == GIT_ELOCKED) {
    sink.report(diag::ref_locked, Span(), push.ref)
        .note(fmt::format("`{}{}.lock` exists; Git creates it while it changes the ref, and a killed Git leaves it",
                          git_repository_commondir(there.get()), push.ref))
        .advise("if no Git process is running in that repository, delete the file");
    return PushResult::Moved;
  }
  git_oid now{};
  const bool exists = git_reference_name_to_id(&now, there.get(), push.ref.c_str()) == 0;
  const std::optional<ObjectId> found = exists ? std::optional(from_oid(&now)) : std::nullopt;
  if (found != push.expected) return report_moved(push, found, connection, sink);
  connection.report(answer, sink);
  return PushResult::Failed;
}

// libgit2 returns success if the host declined: it reports that only for the ref.
PushResult LocalRepository::refused(const PushRequest& push, const RemoteAccess& access, const Connection& connection,
                                    Sink& sink) {
  Sink unused;
  if (const std::optional<RemoteRefs> refs = remote_refs(push.remote, access, unused)) {
    const std::optional<ObjectId> now = find_ref(*refs, push.ref);
    if (now != push.expected) return report_moved(push, now, connection, sink);
  }
  if (is_held_by_another(connection)) {
    Diagnostic& fault = sink.report(diag::ref_locked, Span(), push.ref);
    for (const std::string& line : connection.remote_words()) fault.note("it says: " + line);
    fault.advise(
        "if no other push is running, a killed Git left the lock; ask the administrator of the host to delete it");
    return PushResult::Moved;
  }
  Diagnostic& fault =
      sink.report(diag::push_declined, Span(), connection.url(), push.ref, printable(connection.refusal()));
  for (const std::string& line : connection.remote_words()) fault.note("it says: " + line);
  return PushResult::Declined;
}

// Like `git push`, updates the remote-tracking ref. An error here is ignored.
void LocalRepository::note_pushed(git_remote* remote, const PushRequest& push) {
  for (std::size_t i = 0; i < git_remote_refspec_count(remote); ++i) {
    const git_refspec* spec = git_remote_get_refspec(remote, i);
    if (git_refspec_direction(spec) != GIT_DIRECTION_FETCH || git_refspec_src_matches(spec, push.ref.c_str()) == 0)
      continue;
    Buffer name;
    if (git_refspec_transform(&name, spec, push.ref.c_str()) != 0) continue;
    if (!push.target) {
      git_reference_remove(repository_.get(), name.ptr);
      continue;
    }
    const git_oid target = as_oid(*push.target);
    ReferenceHandle moved;
    receive(moved, [&](auto out) {
      return git_reference_create(out, repository_.get(), name.ptr, &target, 1, "update by push");
    });
  }
}

std::optional<ObjectId> LocalRepository::fetch(const FetchRequest& fetch, const RemoteAccess& access, Sink& sink) {
  const RemoteHandle remote = find_remote(fetch.remote, sink);
  if (remote == nullptr) return std::nullopt;
  Connection connection(remote.get(), shared_folder_, access);
  RemoteRefs refs;
  if (!connection.open(GIT_DIRECTION_FETCH, sink) || !connection.refs(refs, sink)) return std::nullopt;
  const std::string source = fetch.branch.starts_with("refs/") ? fetch.branch : "refs/heads/" + fetch.branch;
  const std::optional<ObjectId> id = find_ref(refs, source);
  if (!id) {
    sink.report(diag::unknown_revision, Span(), fetch.branch)
        .note(fmt::format("`{}` has no such branch", connection.url()));
    return std::nullopt;
  }
  const int answer = connection.fetch(fmt::format("+{}:{}", source, fetch.into));
  if (answer == 0) return ref_target(fetch.into);
  if (answer == GIT_ELOCKED && clear_own_lock(fetch.into)) return LocalRepository::fetch(fetch, access, sink);
  if (answer == GIT_ELOCKED) sink.report(diag::ref_locked, Span(), fetch.into);
  else connection.report(answer, sink);
  return std::nullopt;
}

}  // namespace capwright::git
