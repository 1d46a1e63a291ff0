// Revisions: resolves the syntax of `git rev-parse` to a commit, and suggests similar names.
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "diag/catalog/git.h"
#include "diag/suggest.h"
#include "git/local_repository.h"

namespace capwright::git {
namespace {

// The limit for suggestions; a repository may have a ref for each pull request.
constexpr std::size_t kMostNames = 20'000;

// The name of an object's type for messages, if it isn't a commit.
std::string_view type_name(git_object_t type) {
  switch (type) {
    case GIT_OBJECT_TREE: return "folder";
    case GIT_OBJECT_BLOB: return "file";
    default: return "tag of something else";
  }
}

// "HEAD" of "HEAD~3": the part before the first operator.
std::string_view base_of(std::string_view revision) { return revision.substr(0, revision.find_first_of("~^@:")); }

}  // namespace

std::optional<Head> LocalRepository::head(Sink& sink) {
  Head head;
  ReferenceHandle link;  // HEAD itself, even if the branch doesn't exist yet
  int answer = receive(link, [&](auto out) { return git_reference_lookup(out, repository_.get(), "HEAD"); });
  if (answer == 0) {
    if (git_reference_type(link.get()) == GIT_REFERENCE_SYMBOLIC) head.ref = git_reference_symbolic_target(link.get());
    git_oid oid{};
    answer = git_reference_name_to_id(&oid, repository_.get(), "HEAD");
    if (answer == 0) head.commit = from_oid(&oid);
    if (answer == 0 || answer == GIT_ENOTFOUND) return head;
  }
  sink.report(diag::unreadable_repository, Span(), shown(), reason(answer)).advise("`git fsck` says more");
  return std::nullopt;
}

std::optional<ObjectId> LocalRepository::commit(std::string_view revision, Sink& sink) {
  const std::string text(revision);
  ObjectHandle object;
  int answer = receive(object, [&](auto out) { return git_revparse_single(out, repository_.get(), text.c_str()); });
  ObjectHandle commit;
  if (answer == 0) {
    answer = receive(commit, [&](auto out) { return git_object_peel(out, object.get(), GIT_OBJECT_COMMIT); });
    if (answer == 0) return from_oid(git_object_id(commit.get()));
    if (answer == GIT_EPEEL || answer == GIT_EINVALIDSPEC)
      sink.report(diag::not_a_commit, Span(), text, type_name(git_object_type(object.get())));
    else sink.report(diag::unreadable_object, Span(), hex(from_oid(git_object_id(object.get()))), reason(answer));
  } else if (answer == GIT_EAMBIGUOUS) {
    sink.report(diag::ambiguous_revision, Span(), text).advise("use a longer prefix of the object's hash");
  } else {
    report_unknown(text, sink);
  }
  return std::nullopt;
}

void LocalRepository::report_unknown(const std::string& revision, Sink& sink) {
  const std::string base(base_of(revision));
  Sink unused;
  const std::optional<Head> now = head(unused);
  if ((base.empty() || base == "HEAD") && now && !now->commit) {
    sink.report(diag::no_commit_yet, Span(), now->ref.empty() ? shown() : std::string(now->branch()));
    return;
  }
  Diagnostic& fault = sink.report(diag::unknown_revision, Span(), revision);
  if (revision.empty() || revision.ends_with('/')) {
    fault.note(revision.empty() ? "the revision is empty" : "the name after the `/` is empty")
        .advise("name a revision; if it comes from a variable, the variable probably isn't set here");
    return;
  }
  ObjectHandle known;
  if (base != revision && !base.empty() &&
      receive(known, [&](auto out) { return git_revparse_single(out, repository_.get(), base.c_str()); }) == 0) {
    fault.note(fmt::format("`{}` exists, but the rest doesn't", base));
  } else {
    const std::vector<std::string> names = revision_names();
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    if (const std::string meant = did_you_mean(base, candidates); !meant.empty()) fault.advise(meant);
  }
  // A clone of a single branch fetches another one only to a ref that is named: otherwise it becomes FETCH_HEAD.
  const std::size_t slash = std::min(base.find('/'), base.size());
  const std::string name = base.substr(0, slash), branch = base.substr(std::min(slash + 1, base.size()));
  RemoteHandle remote;
  const bool is_remote = !branch.empty() && receive(remote, [&](auto out) {
                                              return git_remote_lookup(out, repository_.get(), name.c_str());
                                            }) == 0;
  const std::string refs = is_remote ? fmt::format(" {0} {1}:refs/remotes/{0}/{1}", name, branch) : "";
  if (is_shallow())
    fault.advise(fmt::format("the clone is shallow and lacks most commits; run `git fetch --unshallow{}`", refs));
  else if (is_remote && !fault.help)
    fault.advise(fmt::format("if the branch exists there, fetch it with `git fetch{}`", refs));
}

// The short names that people use: "main", "v1.2", "origin/main". Sorted.
std::vector<std::string> LocalRepository::revision_names() const {
  std::vector<std::string> names{"HEAD"};
  ReferenceIteratorHandle all;
  if (receive(all, [&](auto out) { return git_reference_iterator_new(out, repository_.get()); }) != 0) return names;
  const char* full = nullptr;
  while (names.size() < kMostNames && git_reference_next_name(&full, all.get()) == 0) {
    std::string_view name = full;
    for (const std::string_view prefix : {"refs/heads/", "refs/tags/", "refs/remotes/"}) {
      if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    }
    names.emplace_back(name);
  }
  std::sort(names.begin() + 1, names.end());
  return names;
}

std::optional<CommitFacts> LocalRepository::facts(const ObjectId& commit, Sink& sink) {
  const git_oid oid = as_oid(commit);
  CommitHandle object;
  const int answer = receive(object, [&](auto out) { return git_commit_lookup(out, repository_.get(), &oid); });
  if (answer != 0) {
    sink.report(diag::unreadable_object, Span(), hex(commit), reason(answer));
    return std::nullopt;
  }
  CommitFacts facts;
  facts.message = git_commit_message(object.get());
  const git_signature* author = git_commit_author(object.get());
  facts.author = {{author->name, author->email}, author->when.time, author->when.offset};
  for (unsigned i = 0; i < git_commit_parentcount(object.get()); ++i)
    facts.parents.push_back(from_oid(git_commit_parent_id(object.get(), i)));
  return facts;
}

bool LocalRepository::is_ancestor(const ObjectId& ancestor, const ObjectId& commit) {
  if (ancestor == commit) return true;
  Sink unknown;
  if (!facts(commit, unknown)) return false;  // libgit2 1.5 leaks memory if the commit isn't here
  if (is_shallow()) return is_among_readable(ancestor, commit);
  const git_oid above = as_oid(ancestor), below = as_oid(commit);
  return git_graph_descendant_of(repository_.get(), &below, &above) == 1;
}

// libgit2 1.5 fails, and leaks memory, where the history of a shallow clone ends. That history is short.
bool LocalRepository::is_among_readable(const ObjectId& ancestor, const ObjectId& commit) {
  std::vector<ObjectId> open{commit};
  std::set<ObjectId> known{commit};
  while (!open.empty()) {
    const git_oid oid = as_oid(open.back());
    open.pop_back();
    CommitHandle object;
    if (receive(object, [&](auto out) { return git_commit_lookup(out, repository_.get(), &oid); }) != 0) continue;
    for (unsigned i = 0; i < git_commit_parentcount(object.get()); ++i) {
      const ObjectId parent = from_oid(git_commit_parent_id(object.get(), i));
      if (parent == ancestor) return true;
      if (known.insert(parent).second) open.push_back(parent);
    }
  }
  return false;
}

bool LocalRepository::is_partial() {
  ConfigHandle config;
  if (receive(config, [&](auto out) { return git_repository_config_snapshot(out, repository_.get()); }) != 0)
    return false;
  int found = 0;
  const auto note = [](const git_config_entry* entry, void* is_set) {
    int is_promisor = 0;
    if (git_config_parse_bool(&is_promisor, entry->value) == 0 && is_promisor != 0) *static_cast<int*>(is_set) = 1;
    return 0;
  };
  git_config_foreach_match(config.get(), "^remote\\..*\\.promisor$", note, &found);
  return found != 0;
}

void report_missing_objects(Repository& repository, std::string revision, const ObjectId& object, Sink& sink) {
  Diagnostic& fault = sink.report(diag::missing_objects, Span(), std::move(revision), short_hex(object));
  if (repository.is_partial()) {
    fault.note("the clone is partial: it was made with `--filter`, and capwright doesn't fetch")
        .advise("clone without `--filter`, or run `git fetch --refetch --no-filter`");
  } else if (repository.is_shallow()) {
    fault.note("the clone is shallow: it has only the last commits, and capwright doesn't fetch")
        .advise("run `git fetch --unshallow`; in a pipeline, set `fetch-depth: 0` (GitHub) or `GIT_DEPTH: 0` (GitLab)");
  } else {
    fault.advise("`git fsck` lists what is missing or damaged; a new clone has all objects");
  }
}

std::vector<ObjectId> LocalRepository::merge_bases(const ObjectId& one, const ObjectId& other) {
  const git_oid first = as_oid(one), second = as_oid(other);
  git_oidarray found{};
  std::vector<ObjectId> bases;
  if (git_merge_bases(&found, repository_.get(), &first, &second) == 0) {
    for (std::size_t i = 0; i < found.count; ++i) bases.push_back(from_oid(&found.ids[i]));
    git_oidarray_dispose(&found);
  }
  std::sort(bases.begin(), bases.end());
  return bases;
}

std::optional<ObjectId> LocalRepository::merge_base(const std::string& revision, Sink& sink) {
  const std::optional<ObjectId> other = commit(revision, sink), own = commit("HEAD", sink);
  if (!other || !own) return std::nullopt;
  if (is_ancestor(*other, *own)) return other;
  if (is_ancestor(*own, *other)) return own;
  const std::vector<ObjectId> bases = merge_bases(*own, *other);
  if (bases.size() == 1) return bases.front();
  Diagnostic& fault = sink.report(diag::unknown_revision, Span(), revision + "...HEAD");
  if (bases.empty()) {
    fault.note(
        fmt::format("`{}` and `HEAD` have no commit in common{}", revision, is_shallow() ? " in this clone" : ""));
    if (is_shallow()) fault.advise("the clone is shallow and lacks most commits; run `git fetch --unshallow`");
    return std::nullopt;
  }
  fault
      .note(
          fmt::format("`{}` and `HEAD` have {} merge bases, because each has merged the other", revision, bases.size()))
      .advise(fmt::format("name one of them, such as {}, instead", short_hex(bases.front())));
  return std::nullopt;
}

bool LocalRepository::tree_of(const ObjectId& commit, ObjectId& tree, Sink& sink) {
  const TreeHandle object = tree_object(commit, sink);
  if (object != nullptr) tree = from_oid(git_tree_id(object.get()));
  return object != nullptr;
}

TreeHandle LocalRepository::tree_object(const ObjectId& commit, Sink& sink) {
  const git_oid oid = as_oid(commit);
  CommitHandle object;
  TreeHandle tree;
  int answer = receive(object, [&](auto out) { return git_commit_lookup(out, repository_.get(), &oid); });
  if (answer == 0) answer = receive(tree, [&](auto out) { return git_commit_tree(out, object.get()); });
  if (answer == GIT_ENOTFOUND && object != nullptr)
    report_missing_objects(*this, short_hex(commit), from_oid(git_commit_tree_id(object.get())), sink);
  else if (answer != 0) sink.report(diag::unreadable_object, Span(), hex(commit), reason(answer));
  return tree;
}

}  // namespace capwright::git
