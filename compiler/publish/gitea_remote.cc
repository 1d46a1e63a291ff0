// One request creates one commit with all changed files. The host compares each file with its expected previous
// contents, and this program verifies the parent of the new commit: another parent means that a concurrent push came
// first. The lock is a file on its own branch. The API creates a branch only if it doesn't exist, and changes a file
// only from its expected contents.
#include "publish/gitea_remote.h"

#include <fmt/format.h>
#include <map>

#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "git/repository.h"
#include "publish/world.h"

namespace capwright::publish {
namespace {

using git::ObjectId;
using git::PushResult;
using gitea::Outcome;

constexpr std::uint64_t kLargestFile = 256u << 20;  // bytes
constexpr const char* kLockFile = ".capwright/lock";
constexpr const char* kQuiet = " [skip ci]";  // in a commit message: keeps Gitea from running workflows for it

std::string lock_branch(const std::string& branch) { return "capwright-lock/" + branch; }

gitea::Person person_of(const git::Signature& signature) {
  return {signature.who.name, signature.who.email, rfc3339(signature.seconds, signature.minutes_east)};
}

// With a token, any user name works.
git::RemoteAccess access_with(const std::string& token) { return {nullptr, git::Login{"capwright", token}, ""}; }

}  // namespace

GiteaRemote::GiteaRemote(git::Repository& repository, gitea::Api& api)
    : repository_(repository), api_(api), access_(access_with(api.token())) {}

std::vector<std::string> GiteaRemote::remarks() {
  std::vector<std::string> lines{fmt::format("the commit is made by {}", api_.place().api)};
  if (git::signs_commits(repository_))
    lines.emplace_back("`commit.gpgsign` has no effect: only the host can sign the commit");
  if (api_.place().api.starts_with("http://")) lines.emplace_back("the token is sent there without encryption");
  return lines;
}

bool GiteaRemote::find(const std::string& branch, std::optional<ObjectId>& tip, Sink& sink) {
  std::optional<gitea::Branch> found;
  if (!api_.find_branch(branch, found, sink)) return false;
  tip = found ? std::optional(found->commit) : std::nullopt;
  return true;
}

bool GiteaRemote::find_branches(std::map<std::string, ObjectId>& tips, Sink& sink) {
  const auto refs = repository_.remote_refs(api_.place().clone, access_, sink);
  if (refs) tips = branches_of(*refs);
  return refs.has_value();
}

std::optional<ObjectId> GiteaRemote::fetch(const std::string& branch, const std::string& into, Sink& sink) {
  return repository_.fetch({api_.place().clone, branch, into}, access_, sink);
}

// ---- files ----

std::optional<ObjectId> GiteaRemote::tree_of(const ObjectId& commit, Sink& sink) {
  ObjectId tree;
  const auto files = repository_.files(commit, "", sink);
  if (files == nullptr) return std::nullopt;
  if (const IoError error = files->object_id(".", tree)) {
    sink.report(diag::unreadable_object, Span(), hex(commit), describe(error));
    return std::nullopt;
  }
  return tree;
}

std::optional<GiteaRemote::Draft> GiteaRemote::read_draft(const Delivery& delivery, Sink& sink) {
  const auto facts = repository_.facts(delivery.commit, sink);
  if (!facts) return std::nullopt;
  if (facts->parents.size() != 1) {
    sink.report(diag::branch_not_there, Span(), api_.place().clone, delivery.base);
    return std::nullopt;
  }
  const auto tree = tree_of(delivery.commit, sink);
  if (!tree) return std::nullopt;
  return Draft{delivery.commit, facts->parents.front(), *tree, *facts};
}

// Adds the files that differ from the host's own list of the parent's files.
bool GiteaRemote::add_files(const Draft& draft, gitea::ChangeRequest& request, Sink& sink) {
  std::map<std::string, ObjectId> there;
  const auto changes = repository_.changes(draft.parent, draft.commit, sink);
  if (!changes || !api_.list_files(draft.parent, there, sink)) return false;
  const auto files = repository_.files(draft.commit, "", sink);
  if (files == nullptr) return false;
  for (const git::PathChange& change : *changes) {
    const auto found = there.find(change.path);
    const std::optional<ObjectId> before = found == there.end() ? std::nullopt : std::optional(found->second);
    const std::optional<ObjectId> after = change.after.is_zero() ? std::nullopt : std::optional(change.after);
    if (before == after) continue;
    std::optional<std::string> bytes;
    if (after) {
      if (const IoError error = files->read(change.path, bytes.emplace(), kLargestFile)) {
        sink.report(diag::unreadable_object, Span(), hex(*after), describe(error));
        return false;
      }
    }
    request.files.push_back({change.path, before, std::move(bytes)});
  }
  return true;
}

SendResult GiteaRemote::send(const Delivery& delivery, ObjectId& arrived, Sink& sink) {
  const auto draft = read_draft(delivery, sink);
  std::optional<ObjectId> base;
  if (!draft || !find(delivery.base, base, sink)) return SendResult::Failed;
  if (base != draft->parent) return SendResult::Moved;
  const bool is_review = delivery.branch != delivery.base;
  gitea::ChangeRequest request;
  request.branch = delivery.base;
  if (is_review) request.new_branch = delivery.branch;
  request.replaces = is_review && delivery.expected;
  request.message = draft->facts.message;
  request.author = person_of(draft->facts.author);
  if (!add_files(*draft, request, sink)) return SendResult::Failed;
  arrived = draft->parent;
  if (request.files.empty()) return SendResult::Done;
  gitea::MadeCommit made;
  const Outcome outcome = api_.change(request, made, sink);
  if (outcome != Outcome::Done) return settle(delivery, *draft, outcome, arrived);
  arrived = made.commit;
  if (made.parents != std::vector{draft->parent}) return SendResult::Mixed;
  if (made.tree == draft->tree) return SendResult::Done;
  sink.report(diag::arrived_otherwise, Span(), delivery.branch, api_.place().clone, short_hex(made.commit));
  return SendResult::Failed;
}

// After a missing or negative answer, determines the outcome from the current state.
SendResult GiteaRemote::settle(const Delivery& delivery, const Draft& draft, Outcome outcome, ObjectId& arrived) {
  if (outcome == Outcome::Failed) return SendResult::Failed;
  if (outcome == Outcome::Overtaken) return SendResult::Moved;
  Sink unseen;
  std::optional<gitea::Branch> there, base;
  if (!api_.find_branch(delivery.branch, there, unseen) || !api_.find_branch(delivery.base, base, unseen))
    return SendResult::Failed;
  const std::optional<ObjectId> now = there ? std::optional(there->commit) : std::nullopt;
  if (now && now != delivery.expected && fetch(delivery.branch, "refs/capwright/arrived", unseen) == now) {
    const auto facts = repository_.facts(*now, unseen);
    if (facts && facts->parents == draft.facts.parents && tree_of(*now, unseen) == draft.tree) {
      arrived = *now;
      return SendResult::Done;
    }
  }
  if (now != delivery.expected || !base || base->commit != draft.parent) return SendResult::Moved;
  const bool is_protected = there && (there->is_protected || !there->can_push);
  return outcome == Outcome::Forbidden && is_protected ? SendResult::Protected : SendResult::Failed;
}

// ---- the lock ----

bool GiteaRemote::find_lock(const std::string& branch, std::optional<ObjectId>& lock, Sink& sink) {
  lock.reset();
  lock_text_.reset();
  std::optional<gitea::Branch> there;
  if (!api_.find_branch(lock_branch(branch), there, sink)) return false;
  has_lock_branch_ = there.has_value();
  if (!there) return true;
  if (!api_.read_file(lock_branch(branch), kLockFile, lock_text_, sink)) return false;
  if (lock_text_) lock = repository_.blob_id(*lock_text_);
  return true;
}

std::optional<std::string> GiteaRemote::lock_text(const std::string&, const ObjectId& lock, Sink&) {
  return lock_text_ && repository_.blob_id(*lock_text_) == lock ? lock_text_ : std::nullopt;
}

PushResult GiteaRemote::swap_lock(const LockSwap& swap, ObjectId& after, Sink& sink) {
  if (!swap.text) return delete_lock(swap, sink);
  gitea::ChangeRequest request;
  request.branch = has_lock_branch_ ? lock_branch(swap.branch) : swap.branch;
  if (!has_lock_branch_) request.new_branch = lock_branch(swap.branch);
  request.message = swap.text->substr(0, swap.text->find('\n')) + kQuiet;
  request.author = person_of(swap.author);
  request.files.push_back({kLockFile, swap.before, swap.text});
  gitea::MadeCommit made;
  after = repository_.blob_id(*swap.text);
  Sink faults;
  const Outcome outcome = api_.change(request, made, faults);
  if (outcome == Outcome::Done) return PushResult::Done;
  const PushResult settled = settle_lock(swap, outcome, after, sink);
  if (settled == PushResult::Done || settled == PushResult::Moved || sink.failed()) return settled;
  for (const Diagnostic& fault : faults.diagnostics()) sink.add(*fault.info, fault.where, fault.message) = fault;
  return settled;
}

// As for files: determines the outcome from the current state.
PushResult GiteaRemote::settle_lock(const LockSwap& swap, Outcome outcome, ObjectId& after, Sink& sink) {
  if (outcome == Outcome::Failed) return PushResult::Failed;
  if (outcome == Outcome::Overtaken) return PushResult::Moved;
  Sink unseen;
  std::optional<ObjectId> now, base;
  const bool had_branch = has_lock_branch_;
  if (!find_lock(swap.branch, now, unseen) || !find(swap.branch, base, unseen)) return PushResult::Failed;
  if (now == after) return PushResult::Done;
  if (now != swap.before || has_lock_branch_ != had_branch) return PushResult::Moved;
  if (!base) sink.report(diag::branch_not_there, Span(), api_.place().clone, swap.branch);
  return base && outcome != Outcome::Unclear ? PushResult::Declined : PushResult::Failed;
}

// Deletes the complete branch after checking the owner, because the API has no conditional delete. A process that takes
// over the lock between the two steps checks it again before publishing.
PushResult GiteaRemote::delete_lock(const LockSwap& swap, Sink& sink) {
  std::optional<ObjectId> now;
  if (!find_lock(swap.branch, now, sink)) return PushResult::Failed;
  if (now != swap.before) return PushResult::Moved;
  return api_.delete_branch(lock_branch(swap.branch), sink) == Outcome::Done ? PushResult::Done : PushResult::Failed;
}

}  // namespace capwright::publish
