// The steps before rendering: identity, destination, permissions, and whether everything is committed. Also what a
// push for review replaces.
#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "git/repository.h"
#include "publish/git_program.h"
#include "publish/publisher.h"

namespace capwright::publish {
namespace {

constexpr std::size_t kMostShown = 5;       // paths in a message
constexpr std::int64_t kBetweenLooks = 2;   // seconds
constexpr std::size_t kMostReplaced = 100;  // commits that are looked at
constexpr std::size_t kMostDead = 100;      // runs that were killed one after the other
constexpr std::string_view kHooks[] = {"pre-commit", "commit-msg", "pre-push"};

// Normalizes variants of a URL: with or without a login, a trailing slash or `.git`.
std::string normal_url(std::string_view url) {
  std::string text = git::shown_url(url);
  while (text.ends_with('/')) text.pop_back();
  if (text.ends_with(".git")) text.resize(text.size() - 4);
  return text;
}

}  // namespace

Publisher::Result Publisher::preflight(Sink& sink) {
  const auto head = world_.repository.head(sink);
  if (!head) return Result::Failed;
  head_ = *head;
  if (!find_branch(sink)) return Result::Failed;
  const auto who = world_.repository.identity(sink);
  const auto url = world_.repository.remote_url(settings_.remote, sink);
  if (!who || !url) return Result::Failed;
  who_ = *who;
  url_ = git::shown_url(*url);
  if (options_.auto_commit && !find_git(world_.programs, "--auto-commit", sink)) return Result::Failed;
  if (options_.run_hooks && !find_git(world_.programs, "--run-hooks", sink)) return Result::Failed;
  say(Step::Preflight, fmt::format("{} of {} by {} <{}>", branch_, url_, who_.name, who_.email));
  // Only a push shows whether the clone has enough commits.
  if (options_.choice.dry_run && world_.repository.is_shallow())
    say(Step::Preflight, "the clone is shallow, so the push may fail (G264): `git fetch --unshallow` gets all commits");
  for (const std::string& remark : world_.remote.remarks()) say(Step::Preflight, remark);
  if (!options_.run_hooks) tell_hooks();
  return Result::Done;
}

// How to finish a Git operation that waits for a person, such as a merge with conflicts; empty: there is none.
std::string Publisher::advice_on_stopped() const {
  constexpr std::pair<std::string_view, std::string_view> kTraces[] = {{"MERGE_HEAD", "merge"},
                                                                       {"rebase-merge", "rebase"},
                                                                       {"CHERRY_PICK_HEAD", "cherry-pick"},
                                                                       {"REVERT_HEAD", "revert"}};
  for (const auto& [file, operation] : kTraces) {
    FileStat stat;
    if (world_.files.stat(fmt::format("{}/{}", world_.repository.private_folder(), file), stat)) continue;
    return fmt::format("a {0} has stopped: finish it with `git {0} --continue`, or undo it with `git {0} --abort`",
                       operation);
  }
  return {};
}

bool Publisher::find_branch(Sink& sink) {
  if (!head_.commit) {
    static_cast<void>(world_.repository.commit("HEAD", sink));
    return false;
  }
  if (head_.ref.empty() && settings_.branch.empty()) {
    const std::string advice = advice_on_stopped();
    sink.report(diag::no_branch, Span())
        .advise(advice.empty() ? "set `publish.branch` in `capwright.yaml` to the branch to publish to" : advice);
    return false;
  }
  branch_ = settings_.branch.empty() ? std::string(head_.branch()) : settings_.branch;
  ref_ = "refs/heads/" + branch_;
  pushed_branch_ = branch_;
  return true;
}

// libgit2 doesn't run hooks; users who rely on them need to know.
void Publisher::tell_hooks() {
  const std::string folder =
      world_.repository.path_setting("core.hooksPath").value_or(world_.repository.shared_folder() + "/hooks");
  std::vector<std::string_view> found;
  for (const std::string_view hook : kHooks) {
    FileStat stat;
    const std::string path = fmt::format("{}/{}", folder, hook);
    if (!world_.files.stat(path, stat) && stat.type == FileType::Regular && (stat.mode & 0111) != 0)
      found.push_back(hook);
  }
  if (found.empty()) return;
  say(Step::Preflight,
      fmt::format("the hook{} {} {} not run: `--run-hooks` runs commit-msg and pre-push", found.size() == 1 ? "" : "s",
                  fmt::join(found, ", "), found.size() == 1 ? "is" : "are"));
}

Publisher::Result Publisher::origin(Sink& sink) {
  if (settings_.url.empty() || normal_url(settings_.url) == normal_url(url_)) return Result::Done;
  sink.report(diag::origin_differs, Span(), settings_.remote, url_, git::shown_url(settings_.url))
      .advise(fmt::format("if that URL is correct, run `git remote set-url {} {}`", settings_.remote,
                          git::shown_url(settings_.url)));
  return Result::Failed;
}

RemoteLock::Request Publisher::lock_request() {
  RemoteLock::Request request;
  const std::int64_t now = world_.clock.seconds();
  request.self = {fmt::format("{} <{}>", who_.name, who_.email),
                  place_.host,
                  place_.process,
                  state_.run,
                  now,
                  now + settings_.lock_seconds};
  request.author = signature();
  request.former = former_runs_;
  request.break_others = options_.break_lock;
  return request;
}

void Publisher::report_locked(const std::optional<Holder>& other, bool in_clone, Sink& sink) {
  // A process of this clone may publish another branch.
  Diagnostic& fault =
      sink.report(diag::publish_locked, Span(), in_clone ? "a commit of this clone" : fmt::format("`{}`", branch_),
                  other ? shown(*other) : fmt::format("another process of {}", place_.host));
  if (in_clone && other) fault.advise(fmt::format("wait until its process {} ends", other->process));
}

Publisher::Result Publisher::lock(Sink& sink) {
  std::optional<Holder> other;
  const ProcessLock::Answer answer =
      process_lock_.take(lock_request().self, "capwright publishes " + branch_, other, sink);
  if (answer == ProcessLock::Answer::Failed) return Result::Failed;
  if (answer == ProcessLock::Answer::Busy) {
    report_locked(other, true, sink);
    return Result::Failed;
  }
  if (other) say(Step::Lock, fmt::format("took the lock of {}, whose process has ended", shown(*other)));
  if (!resumes(sink)) return Result::Failed;
  locked_ = true;
  // Saves the run's name before a lock contains it, so that the next run recognizes the lock as its own.
  if (former_) {
    state_ = *former_;
  } else {
    if (options_.request) state_.request = options_.request->id;
    state_.remote = settings_.remote;
    state_.ref = ref_;
    state_.head = state_.source = *head_.commit;
  }
  // One that is killed before it takes the lock of a dead one leaves both names.
  state_.dead = former_runs_;
  if (!save(sink)) return Result::Failed;
  return settings_.remote_lock ? take_remote_lock(sink) : Result::Done;
}

// Reads the state of an earlier run in this clone. Returns false if it is unreadable.
bool Publisher::resumes(Sink& sink) {
  Sink unread;
  former_ = load_state(world_.files, folder_, unread);
  if (!former_ && unread.failed() && !options_.restart) {
    for (const Diagnostic& fault : unread.diagnostics()) sink.add(*fault.info, fault.where, fault.message) = fault;
    return false;
  }
  if (!former_) return true;
  former_runs_ = former_->dead;
  former_runs_.push_back(former_->run);
  if (former_runs_.size() > kMostDead) former_runs_.erase(former_runs_.begin());
  // A request is resumed by its own id on the branch, whatever ran since.
  const bool is_wanted = !options_.restart && !options_.request && former_->request.empty() && !former_->finished &&
                         former_->ref == ref_ && former_->remote == settings_.remote && former_->commit;
  if (!is_wanted) former_.reset();
  return true;
}

Publisher::Result Publisher::take_remote_lock(Sink& sink) {
  remote_lock_.emplace(world_.remote, branch_);
  const std::int64_t patience = options_.wait_seconds.value_or(settings_.wait_seconds);
  const std::int64_t end = world_.clock.seconds() + patience;
  for (bool is_first = true;; is_first = false) {
    std::optional<Holder> other;
    Sink faults;
    const RemoteLock::Request request = lock_request();
    const RemoteLock::Answer answer = remote_lock_->take(request, other, faults);
    const bool is_held = answer == RemoteLock::Answer::Held;
    if (answer == RemoteLock::Answer::Failed || (is_held && world_.clock.seconds() >= end)) {
      hand_on(faults, sink);
      return Result::Failed;
    }
    if (answer == RemoteLock::Answer::Taken) {
      const bool is_former =
          other && std::find(former_runs_.begin(), former_runs_.end(), other->run) != former_runs_.end();
      state_.dead.clear();
      if (other && !is_former) say(Step::Lock, fmt::format("took the lock of {}", shown(*other)));
      return Result::Done;
    }
    if (world_.clock.seconds() >= end) {
      report_locked(other, false, sink);
      sink.diagnostics().back().advise("wait, or take its lock with `--break-lock` if that run is dead");
      return Result::Failed;
    }
    if (is_first && is_held)
      say(Step::Lock,
          fmt::format("waiting up to {} seconds for a Git process that writes to the lock there", patience));
    if (is_first && other) say(Step::Lock, fmt::format("waiting up to {1} seconds for {0}", shown(*other), patience));
    world_.clock.wait(std::min(kBetweenLooks, end - world_.clock.seconds()));
  }
}

Publisher::Result Publisher::clean(Sink& sink) {
  if (options_.request) return Result::Done;
  const auto changes = world_.repository.changes_on_disk(*head_.commit, sink);
  if (!changes) return Result::Failed;
  if (changes->empty()) return Result::Done;
  const std::string stopped = advice_on_stopped();  // a commit would end it, perhaps with conflict markers
  const bool may_commit = (options_.auto_commit || options_.confirm_commit) && stopped.empty();
  // The new commit would have to be pushed before its render (is_source_pushed).
  if (may_commit && !options_.choice.dry_run && !is_separate()) return commit_all(changes->size(), sink);
  Diagnostic& fault =
      sink.report(diag::uncommitted_changes, Span(), changes->size(), changes->size() == 1 ? "file has" : "files have");
  for (std::size_t i = 0; i < std::min(kMostShown, changes->size()); ++i) fault.note((*changes)[i].path);
  if (changes->size() > kMostShown) fault.note(fmt::format("and {} more", changes->size() - kMostShown));
  if (!stopped.empty()) fault.advise(stopped);
  else
    fault.advise(fmt::format("{}; list files that Git should ignore in `.gitignore`",
                             is_separate() ? "commit and push them" : "commit them, or use `--auto-commit`"));
  return Result::Failed;
}

// Uses the program, because it updates the index and runs the user's hooks.
Publisher::Result Publisher::commit_all(std::size_t count, Sink& sink) {
  const std::string what = fmt::format("{} changed file{}", count, count == 1 ? "" : "s");
  if (options_.confirm_commit && !world_.dialogue.can_ask()) {
    say(Step::Clean, "`--confirm-commit` can't ask here, so nothing was committed");
    return Result::Stopped;
  }
  if (options_.confirm_commit && !world_.dialogue.agrees(fmt::format("commit {} first?", what))) {
    say(Step::Clean, "nothing was committed");
    return Result::Stopped;
  }
  const auto git = [&](std::vector<std::string> arguments, const char* shown) {
    return run_git(world_.repository, world_.programs, std::move(arguments), shown, sink);
  };
  if (!git({"add", "--all"}, "add") ||
      !git({"commit", "--quiet", "--message", "Save changes before publishing"}, "commit"))
    return Result::Failed;
  const auto head = world_.repository.head(sink);
  if (!head || !head->commit) return Result::Failed;
  head_ = *head;
  state_.head = state_.source = *head_.commit;
  say(Step::Clean, fmt::format("committed {} as {}", what, short_hex(*head_.commit)));
  return Result::Done;
}

// ---- the pull request branch ----

std::string Publisher::review_branch() const {
  std::string name = settings_.pull_request_branch;
  if (const std::size_t at = name.find("{branch}"); at != std::string::npos) name.replace(at, 8, branch_);
  return name;
}

// A dry run has no commit and doesn't know whether the branch is protected.
void Publisher::foresee_review(Sink& sink) {
  Sink unread;
  std::optional<git::ObjectId> before;
  if (!world_.remote.find(review_branch(), before, unread) || !before) return;
  if (!world_.remote.fetch(review_branch(), std::string(kReviewRef), unread)) return;
  const bool is_certain = settings_.pull_request == PullRequest::Always;
  report_replaced(*before, state_.base.value_or(state_.source),
                  is_certain ? "" : fmt::format("if `{}` is protected, ", branch_), sink);
}

// Another clone may have pushed its own commits there. Renders of capwright are made again, so they don't count.
void Publisher::report_replaced(const git::ObjectId& before, const git::ObjectId& after, const std::string& condition,
                                Sink& sink) {
  std::vector<git::ObjectId> found{before};
  std::vector<std::string> lost;
  for (std::size_t i = 0; i < found.size() && found.size() < kMostReplaced; ++i) {
    Sink unread;
    const auto facts = world_.repository.facts(found[i], unread);
    if (!facts || world_.repository.is_ancestor(found[i], after)) continue;
    if (facts->message.find("\n" + std::string(kSourceTrailer)) == std::string::npos)
      lost.push_back(facts->author.who.name + ": " + facts->message.substr(0, facts->message.find('\n')));
    for (const git::ObjectId& parent : facts->parents) {
      if (std::ranges::find(found, parent) == found.end()) found.push_back(parent);
    }
  }
  if (lost.empty()) return;
  Diagnostic& fault =
      sink.report(diag::commits_replaced, Span(), condition, review_branch(), lost.size(), lost.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kMostShown, lost.size()); ++i) fault.note(lost[i]);
  if (lost.size() > kMostShown) fault.note(fmt::format("and {} more", lost.size() - kMostShown));
  fault.advise(fmt::format("to keep {}, run `git push {} {}:refs/heads/BRANCH` in this clone",
                           lost.size() == 1 ? "it" : "them", settings_.remote, short_hex(before)));
}

}  // namespace capwright::publish
