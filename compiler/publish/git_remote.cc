// Moves refs by compare-and-swap: the branch, and the lock, which refers to a commit without files whose message is the
// lock's text.
#include "publish/git_remote.h"

#include <algorithm>
#include <fmt/format.h>

#include "publish/git_program.h"

namespace capwright::publish {
namespace {

using git::ObjectId;
using git::PushResult;

constexpr const char* kSeen = "refs/capwright/seen-lock";

std::string lock_ref(const std::string& branch) { return "refs/capwright/lock/" + branch; }

}  // namespace

bool speaks_of_protection(const Sink& sink) {
  // "protected": Git's hosts and their hooks; the others: rulesets of GitHub (GH013), Bitbucket.
  constexpr std::string_view kWords[] = {"protected", "through a pull request", "through pull requests"};
  const auto says = [&](std::string_view text) {
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view words) { return text.find(words) != std::string_view::npos; });
  };
  return std::any_of(sink.diagnostics().begin(), sink.diagnostics().end(), [&](const Diagnostic& fault) {
    return says(fault.message) || std::any_of(fault.notes.begin(), fault.notes.end(), says);
  });
}

std::map<std::string, ObjectId> branches_of(const git::RemoteRefs& refs) {
  constexpr std::string_view kBranches = "refs/heads/";
  std::map<std::string, ObjectId> tips;
  for (const auto& [ref, tip] : refs) {
    if (ref.starts_with(kBranches)) tips.emplace(ref.substr(kBranches.size()), tip);
  }
  return tips;
}

std::vector<std::string> GitRemote::remarks() {
  if (!takes_commits_) return {"a dry run sends no token; it reads the branch through Git's protocol"};
  if (hooks_ != nullptr) return {};
  const std::vector<std::string> skipped = repository_.skipped_hooks(name_);
  if (skipped.empty()) return {};
  const bool is_one = skipped.size() == 1;
  return {fmt::format(
      "the remote is a folder, and its hook{} {} {} not run; with `--run-hooks`, the program `git` pushes and runs {}",
      is_one ? "" : "s", fmt::join(skipped, ", "), is_one ? "is" : "are", is_one ? "it" : "them")};
}

bool GitRemote::find_ref(const std::string& ref, std::optional<ObjectId>& target, Sink& sink) {
  const auto refs = repository_.remote_refs(name_, access_, sink);
  if (!refs) return false;
  const auto found = refs->find(ref);
  target = found == refs->end() ? std::nullopt : std::optional(found->second);
  return true;
}

bool GitRemote::find(const std::string& branch, std::optional<ObjectId>& tip, Sink& sink) {
  return find_ref("refs/heads/" + branch, tip, sink);
}

bool GitRemote::find_branches(std::map<std::string, ObjectId>& tips, Sink& sink) {
  const auto refs = repository_.remote_refs(name_, access_, sink);
  if (refs) tips = branches_of(*refs);
  return refs.has_value();
}

std::optional<ObjectId> GitRemote::fetch(const std::string& branch, const std::string& into, Sink& sink) {
  return repository_.fetch({name_, branch, into}, access_, sink);
}

SendResult GitRemote::send(const Delivery& delivery, ObjectId& arrived, Sink& sink) {
  arrived = delivery.commit;
  const git::PushRequest request{name_, "refs/heads/" + delivery.branch, delivery.expected, delivery.commit};
  if (hooks_ != nullptr) return send_by_git(request, sink);
  switch (repository_.push(request, access_, sink)) {
    case PushResult::Done: return SendResult::Done;
    case PushResult::Moved: return SendResult::Moved;
    case PushResult::Declined: return speaks_of_protection(sink) ? SendResult::Protected : SendResult::Failed;
    case PushResult::Failed: break;
  }
  return SendResult::Failed;
}

// Pushes with the user's pre-push hook and the credentials of the program.
SendResult GitRemote::send_by_git(const git::PushRequest& request, Sink& sink) {
  const std::string lease =
      fmt::format("--force-with-lease={}:{}", request.ref, request.expected ? hex(*request.expected) : "");
  const std::string moves = fmt::format("{}:{}", hex(*request.target), request.ref);
  if (run_git(repository_, *hooks_, {"push", "--quiet", lease, request.remote, moves}, "push", sink))
    return SendResult::Done;
  Sink unseen;
  std::optional<ObjectId> now;
  if (find_ref(request.ref, now, unseen) && now != request.expected) return SendResult::Moved;
  return speaks_of_protection(sink) ? SendResult::Protected : SendResult::Failed;
}

bool GitRemote::find_lock(const std::string& branch, std::optional<ObjectId>& lock, Sink& sink) {
  return find_ref(lock_ref(branch), lock, sink);
}

std::optional<std::string> GitRemote::lock_text(const std::string& branch, const ObjectId& lock, Sink& sink) {
  const auto fetched = fetch(lock_ref(branch), kSeen, sink);
  if (!fetched || *fetched != lock) return std::nullopt;
  const std::optional<git::CommitFacts> facts = repository_.facts(*fetched, sink);
  return facts ? std::optional(facts->message) : std::nullopt;
}

PushResult GitRemote::swap_lock(const LockSwap& swap, ObjectId& after, Sink& sink) {
  std::optional<ObjectId> commit;
  if (swap.text) {
    commit = repository_.make_commit({std::nullopt, {}, *swap.text, swap.author, swap.author, {}}, sink);
    if (!commit) return PushResult::Failed;
    after = *commit;
  }
  return repository_.push({name_, lock_ref(swap.branch), swap.before, commit}, access_, sink);
}

}  // namespace capwright::publish
