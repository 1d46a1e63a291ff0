// The steps from the render to the record: what is rendered, where it is pushed, and what happens after a concurrent
// push.
#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "diag/catalog/tree.h"
#include "git/repository.h"
#include "publish/git_program.h"
#include "publish/publisher.h"
#include "publish/world.h"

namespace capwright::publish {
namespace {

using git::ObjectId;

constexpr std::uint64_t kLargestMessage = 1u << 20;
constexpr int kMostLocked = 5;
constexpr std::size_t kMostSubjectNames = 2;
constexpr std::size_t kIdDigits = 40;
constexpr int kMostForeign = 1000;  // commits of others since the last publication

std::string plural(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

// ---- render, lint, diff ----

bool Publisher::look_at_remote(Sink& sink) {
  return world_.remote.find(branch_, state_.tip, sink) && (!state_.tip || fetch_branch(sink));
}

bool Publisher::fetch_branch(Sink& sink) {
  Sink unknown;
  const bool is_here = world_.repository.facts(*state_.tip, unknown).has_value();
  if (is_here) return true;
  const auto fetched = world_.remote.fetch(branch_, tracking_ref(), sink);
  if (fetched) state_.tip = fetched;  // it may have moved again
  return fetched.has_value();
}

// For a request: the tip of the branch is both.
bool Publisher::choose_tip(Sink& sink) {
  if (!state_.tip) {
    sink.report(diag::branch_not_there, Span(), url_, branch_);
    return false;
  }
  state_.head = *head_.commit;
  state_.source = *state_.tip;
  state_.base = state_.tip;
  state_.commit.reset();
  return true;
}

// The id of the commit that the tip of a separate branch was rendered from. Others may have added commits to it.
std::optional<std::string> Publisher::published_source(Sink& sink) {
  std::optional<ObjectId> commit = state_.tip;
  for (int i = 0; commit && i < kMostForeign; ++i) {
    const auto facts = world_.repository.facts(*commit, sink);
    if (!facts) return std::nullopt;
    const std::size_t at = facts->message.rfind(kSourceTrailer);
    const bool is_line = at != std::string::npos && (at == 0 || facts->message[at - 1] == '\n');
    if (is_line) return facts->message.substr(at + kSourceTrailer.size(), kIdDigits);
    commit = facts->parents.empty() ? std::nullopt : std::optional(facts->parents.front());
  }
  return std::nullopt;
}

// Of a commit that isn't in a history. That of a shallow clone may only be cut off.
void Publisher::explain_missing(Diagnostic& fault, std::string note, std::string advice) {
  const bool is_shallow = world_.repository.is_shallow();
  fault.note(is_shallow ? "the clone is shallow, so the commit may be missing from its history" : std::move(note));
  fault.advise(is_shallow ? "run `git fetch --unshallow`, then run the command again" : std::move(advice));
}

// A separate branch follows the commits that it is rendered from. A commit without the history of the last one would
// revert the changes of that one: from another clone, or from a later pipeline that finished earlier.
bool Publisher::has_published_source(Sink& sink) {
  Sink unread;
  const auto digits = published_source(unread);
  const auto source = digits ? git::parse_object_id(*digits) : std::nullopt;
  if (!source || world_.repository.is_ancestor(*source, *head_.commit)) return true;
  const std::string branch = settings_.remote + "/" + branch_;
  Diagnostic& fault = sink.report(diag::older_than_published, Span(), branch, short_hex(*source));
  explain_missing(fault, "the changes of that commit would be undone",
                  "run `git pull`, then run the command again; `--allow-older` publishes the checked-out commit "
                  "nevertheless");
  return false;
}

// Whether a branch of the remote has the commit. This clone may lack the tip of one that was pushed to since.
bool Publisher::has_branch_with(const ObjectId& commit, const std::map<std::string, ObjectId>& tips) {
  const auto has_it = [&](const auto& branch) { return world_.repository.is_ancestor(commit, branch.second); };
  if (std::any_of(tips.begin(), tips.end(), has_it)) return true;
  return std::any_of(tips.begin(), tips.end(), [&](const auto& branch) {
    const std::string ref = publish::tracking_ref(settings_.remote, branch.first);
    const auto seen = world_.repository.ref_target(ref);
    const bool may_have_it = branch.first == head_.branch() || (seen && world_.repository.is_ancestor(commit, *seen));
    Sink unknown, unfetched;
    if (!may_have_it || world_.repository.facts(branch.second, unknown)) return false;
    const auto tip = world_.remote.fetch(branch.first, ref, unfetched);
    return tip && world_.repository.is_ancestor(commit, *tip);
  });
}

// The branch records the commit that it was rendered from, and a clone that can't fetch that commit can't publish over
// it (has_published_source).
bool Publisher::is_source_pushed(Sink& sink) {
  std::map<std::string, ObjectId> tips;
  if (!world_.remote.find_branches(tips, sink)) return false;
  if (has_branch_with(*head_.commit, tips)) return true;
  Diagnostic& fault =
      sink.report(diag::source_not_pushed, Span(), settings_.remote, short_hex(*head_.commit))
          .note(fmt::format("other clones couldn't publish to `{}` before they have that commit (G253)", branch_));
  if (world_.repository.is_shallow()) fault.note("the clone is shallow, so a branch may have it");
  std::string push = fmt::format("git push {} {}", settings_.remote, head_.branch());
  if (head_.ref.empty()) push = fmt::format("git push {} HEAD:BRANCH", settings_.remote);
  fault.advise(fmt::format("run `{}`{}, then run the command again", push,
                           world_.repository.is_shallow() ? ", or `git fetch --unshallow` if it is there" : ""));
  return false;
}

// Whether a branch isn't only for rendered files: its values decide what belongs beside them.
bool Publisher::has_sources(const ObjectId& commit) {
  Sink unread;
  const auto files = settings_.config_path.empty() ? nullptr : world_.repository.files(commit, "", unread);
  FileStat stat;
  return files != nullptr && !files->stat(settings_.config_path, stat);
}

// A job may have checked out a commit of the branch without its name. A commit of another branch would add the render
// of values that the branch doesn't have.
bool Publisher::may_publish_to_sources(Sink& sink) {
  if (world_.repository.is_ancestor(*head_.commit, *state_.tip)) return true;
  const std::string branch = settings_.remote + "/" + branch_;
  explain_missing(
      sink.report(diag::not_in_branch, Span(), branch, short_hex(*head_.commit)),
      fmt::format("the branch has `{}`: these files would differ from what its values render", settings_.config_path),
      fmt::format("merge the commit into `{}`, and run the command there; or set `publish.branch` to a branch without "
                  "values",
                  branch_));
  return false;
}

// Chooses the commit to render, and the parent of the new commit.
bool Publisher::choose_source(Sink& sink) {
  if (options_.request) return choose_tip(sink);
  const ObjectId& head = *head_.commit;
  state_.source = head;
  state_.head = head;
  state_.commit.reset();
  if (!state_.tip && !world_.remote.takes_commits()) {
    sink.report(diag::branch_not_there, Span(), url_, branch_);
    return false;
  }
  const bool is_of_sources = is_separate() && state_.tip && has_sources(*state_.tip);
  if (is_of_sources && !may_publish_to_sources(sink)) return false;
  if (is_separate() && !is_of_sources) {
    state_.base = state_.tip;
    return is_source_pushed(sink) && (options_.allow_older || has_published_source(sink));
  }
  if (state_.tip && !world_.repository.is_ancestor(*state_.tip, head)) {
    if (!world_.repository.is_ancestor(head, *state_.tip)) {
      if (world_.repository.is_shallow()) {
        sink.report(diag::clone_is_shallow, Span(),
                    fmt::format("the comparison of `{}` with `{}/{}`", branch_, settings_.remote, branch_))
            .advise("run `git fetch --unshallow`; in CI, set `fetch-depth: 0` (GitHub) or `GIT_DEPTH: 0` (GitLab)");
        return false;
      }
      sink.report(diag::branches_diverged, Span(), branch_, settings_.remote + "/" + branch_)
          .advise(fmt::format("run `git pull --rebase {} {}`, then run the command again", settings_.remote, branch_));
      return false;
    }
    state_.source = *state_.tip;
    say(Step::Render, fmt::format("{}/{} is ahead: {} is rendered", settings_.remote, branch_, short_hex(*state_.tip)));
  }
  state_.base = state_.source;
  if (world_.remote.takes_commits() || state_.base == state_.tip) return true;
  sink.report(diag::commits_not_there, Span(), branch_, settings_.remote + "/" + branch_)
      .advise(fmt::format("run `git push {} {}`, then run the command again", settings_.remote, branch_));
  return false;
}

// Whether the earlier run's commit is on the branch. A host that creates commits itself may have given it another id.
bool Publisher::is_delivered() {
  if (!former_ || !state_.tip) return false;
  if (state_.tip == former_->commit) return true;
  return !world_.remote.takes_commits() && is_same(*state_.tip, *former_->commit);
}

// Whether the earlier run's commit equals the one that this run would create: the state file may be forged, and another
// version of the program may have created the commit.
bool Publisher::is_as_rendered() {
  if (rendering_->changes().empty()) return state_.commit == state_.base;
  Sink unread;
  const git::CommitRequest request{state_.base, rendering_->changes(), "", signature(), signature(), {}};
  const auto made = world_.repository.make_commit(request, unread);
  return made && is_same(*made, *state_.commit);
}

Publisher::Result Publisher::render(Sink& sink) {
  if (!look_at_remote(sink)) return Result::Failed;
  const bool is_there = is_delivered();
  is_pushed_ = is_pushed_ || is_there;
  // Commits made after the earlier push are another publication, unless this run still has to record the first.
  if (is_there && former_->head != *head_.commit && !is_chosen(Step::Audit)) former_.reset();
  resumed_ = former_ && (is_there || (former_->tip == state_.tip && former_->head == *head_.commit));
  if (resumed_) {
    state_.head = former_->head;
    state_.source = former_->source;
    state_.base = former_->base;
    state_.commit = is_there ? state_.tip : former_->commit;
    if (!is_there) state_.tip = former_->tip;
    say(Step::Render, fmt::format("resuming with commit {}, made by the run of {}", short_hex(*state_.commit),
                                  time_text(former_->started)));
  } else if (!choose_source(sink)) {
    return Result::Failed;
  }
  Verdict verdict = Verdict::Fine;
  rendering_ =
      world_.fleet.render({state_.source, state_.base, is_there_already() ? state_.base : state_.tip}, verdict);
  if (rendering_ == nullptr) return verdict == Verdict::Findings ? Result::Stopped : Result::Failed;
  say(Step::Render, fmt::format("{} of {} into {}", plural(rendering_->clusters().size(), "cluster"),
                                short_hex(state_.source), plural(rendering_->changes().size(), "changed file")));
  for (const std::string& name : rendering_->removed())
    say(Step::Render, fmt::format("{} has no values file; its folder is removed", name));
  if (!resumed_ || is_there_already() || is_as_rendered()) return Result::Done;
  say(Step::Render, "that commit differs from the current render; starting over");
  former_.reset();
  return render(sink);
}

Publisher::Result Publisher::lint(Sink&) {
  std::string said;
  const Verdict verdict = rendering_->lint(said);
  if (!said.empty()) say(Step::Lint, said);
  if (verdict == Verdict::Findings) say(Step::Lint, "publishing stops here");
  if (verdict == Verdict::Fine) return Result::Done;
  if (verdict == Verdict::Findings) return Result::Stopped;
  return Result::Failed;
}

Publisher::Result Publisher::diff(Sink& sink) {
  if (rendering_->changes().empty() && (is_there_already() || state_.base == state_.tip)) {
    say(Step::Diff, "no changes since the last publication");
    return Result::Done;
  }
  if (!state_.tip)
    say(Step::Diff, fmt::format("`{}` has no branch `{}` yet, so all clusters are new", settings_.remote, branch_));
  std::string text;
  const Verdict verdict = rendering_->diff(text);
  world_.dialogue.show_diff(text);
  if (options_.choice.dry_run && settings_.pull_request != PullRequest::Never) foresee_review(sink);
  if (verdict == Verdict::Findings) say(Step::Diff, "publishing stops here");
  if (verdict == Verdict::Fine) return Result::Done;
  if (verdict == Verdict::Findings) return Result::Stopped;
  return Result::Failed;
}

// ---- commit ----

std::vector<std::string> Publisher::changed_names() const {
  std::vector<std::string> names;
  for (const RenderedCluster& cluster : rendering_->clusters()) {
    if (cluster.changed) names.push_back(cluster.compiled->name);
  }
  return names;
}

std::string Publisher::message_text() const {
  if (options_.request) {
    return git::commit_message("Publish " + options_.request->cluster, "",
                               {{std::string(kRequestTrailer), options_.request->id},
                                {"Capwright-Caller", options_.request->caller},
                                {"Capwright-Version", place_.tool_version},
                                {"Capwright-Clusters", options_.request->cluster}});
  }
  const std::vector<std::string> names = changed_names();
  std::string subject = fmt::format("Render {} clusters", names.size());
  if (names.empty()) subject = "Remove clusters that have no values";
  else if (names.size() <= kMostSubjectNames) subject = fmt::format("Render {}", fmt::join(names, " and "));
  std::vector<std::pair<std::string, std::string>> trailers{
      {std::string(kSourceTrailer.substr(0, kSourceTrailer.find(':'))), hex(state_.source)},
      {"Capwright-Version", place_.tool_version},
      {"Capwright-Clusters", fmt::format("{}", fmt::join(names, ", "))}};
  if (!rendering_->removed().empty())
    trailers.emplace_back("Capwright-Removed", fmt::format("{}", fmt::join(rendering_->removed(), ", ")));
  return git::commit_message(subject, "", trailers);
}

std::optional<std::string> Publisher::message(Sink& sink) {
  std::string text = message_text();
  if (!options_.run_hooks) return text;
  const std::string path = folder_ + "/COMMIT_MSG";
  IoError error = replace_file(world_.files, path, text);
  const std::vector<std::string> hook{"hook", "run", "--ignore-missing", "commit-msg", "--", path};
  if (!error && !run_git(world_.repository, world_.programs, hook, "hook run commit-msg", sink)) return std::nullopt;
  if (!error) error = world_.files.read(path, text, kLargestMessage);
  if (!error) return text;
  sink.report(diag::io_failed, Span(), path, "written", describe(error));
  return std::nullopt;
}

std::optional<ObjectId> Publisher::make_commit(Sink& sink) {
  const std::optional<std::string> text = message(sink);
  if (!text) return std::nullopt;
  git::CommitRequest request{state_.base, rendering_->changes(), *text, signature(), signature(), {}};
  if (world_.remote.takes_commits() && git::signs_commits(world_.repository))
    request.sign = git::configured_signer(world_.repository, world_.programs, who_, sink);
  return world_.repository.make_commit(request, sink);
}

// Adds a ref to it, so that neither `git gc` nor the end of this process removes it.
bool Publisher::keep_commit(const ObjectId& commit, Sink& sink) {
  const auto before = world_.repository.ref_target(kept_ref());
  return before == commit || world_.repository.move_ref({kept_ref(), before, commit, "capwright publish"}, sink);
}

bool Publisher::is_agreed(const std::string& what) {
  if (options_.yes || world_.dialogue.agrees(fmt::format("publish {} to {} of {}?", what, branch_, url_))) return true;
  say(Step::Commit, "nothing was published");
  return false;
}

Publisher::Result Publisher::commit(Sink& sink) {
  if (resumed_) return Result::Done;
  if (rendering_->changes().empty()) {
    if (!state_.base) {
      sink.report(diag::nothing_rendered, Span());
      return Result::Failed;
    }
    if (state_.base == state_.tip) say(Step::Commit, "nothing to do");
    else if (!is_agreed("the commits up to " + short_hex(*state_.base))) return Result::Stopped;
    state_.commit = state_.base;
    return Result::Done;
  }
  if (!is_agreed(plural(rendering_->changes().size(), "changed file"))) return Result::Stopped;
  const std::optional<ObjectId> made = make_commit(sink);
  if (!made || !keep_commit(*made, sink)) return Result::Failed;
  state_.commit = made;
  say(Step::Commit, fmt::format("made {}", short_hex(*made)));
  return Result::Done;
}

// ---- push ----

bool Publisher::is_same(const ObjectId& one, const ObjectId& other) {
  Sink unread;
  const auto facts = world_.repository.facts(one, unread), others = world_.repository.facts(other, unread);
  if (!facts || !others || facts->parents != others->parents) return false;
  const auto changes = world_.repository.changes(one, other, unread);
  return changes && changes->empty();
}

SendResult Publisher::send(const std::string& branch, const std::optional<ObjectId>& expected, Sink& sink) {
  Sink faults;
  ObjectId arrived = *state_.commit;
  SendResult sent = world_.remote.send({branch, expected, *state_.commit, branch_}, arrived, faults);
  for (int again = 0; again < kMostLocked && sent == SendResult::Moved && is_locked_there(faults); ++again) {
    world_.clock.wait(1);
    faults = Sink();
    sent = world_.remote.send({branch, expected, *state_.commit, branch_}, arrived, faults);
  }
  if (sent == SendResult::Moved && is_locked_there(faults)) sent = SendResult::Failed;
  if (sent == SendResult::Done || sent == SendResult::Mixed) {
    is_pushed_ = true;
    state_.commit = arrived;
  }
  const bool is_reviewed = sent == SendResult::Protected && settings_.pull_request == PullRequest::Auto;
  if (sent == SendResult::Failed || (sent == SendResult::Protected && !is_reviewed)) hand_on(faults, sink);
  if (sent == SendResult::Protected && !is_reviewed && settings_.pull_request == PullRequest::Never && sink.failed())
    sink.diagnostics().back().advise(
        "set `publish.pull_request` to `auto` in `capwright.yaml`, to push to a branch for a pull request instead");
  return sent == SendResult::Protected && !is_reviewed ? SendResult::Failed : sent;
}

// `--step push`: uses the commit that an earlier run created and linted.
bool Publisher::take_up_commit(Sink& sink) {
  if (!look_at_remote(sink)) return false;
  const bool is_waiting = former_ && former_->head == *head_.commit && (former_->tip == state_.tip || is_delivered());
  const bool is_ours =
      is_waiting && (former_->commit == former_->base || former_->commit == world_.repository.ref_target(kept_ref()));
  if (!is_ours) {
    sink.report(diag::nothing_to_push, Span(), branch_).advise("make one with `capwright publish --step commit`");
    return false;
  }
  state_.source = former_->source;
  state_.base = former_->base;
  state_.commit = is_delivered() ? state_.tip : former_->commit;
  if (state_.commit == state_.tip)
    say(Step::Push, fmt::format("nothing to do: {} is at {}", branch_, short_hex(*state_.commit)));
  return true;
}

Publisher::Result Publisher::push(Sink& sink) {
  if ((rendering_ == nullptr || !state_.commit) && !take_up_commit(sink)) return Result::Failed;
  if (state_.commit == state_.tip) return Result::Done;
  if (remote_lock_ && !remote_lock_->confirm(lock_request(), sink)) {
    if (sink.failed()) return Result::Failed;
    say(Step::Push, "another run took the lock");
    const Result again = take_remote_lock(sink);
    return again == Result::Done ? Result::Moved : again;
  }
  if (settings_.pull_request == PullRequest::Always) return push_for_review(sink);
  const SendResult sent = send(branch_, state_.tip, sink);
  if (sent == SendResult::Protected) return push_for_review(sink);
  if (sent != SendResult::Done) return render_again(sent, sink);
  Sink unread;
  if (!world_.remote.takes_commits()) static_cast<void>(world_.remote.fetch(branch_, tracking_ref(), unread));
  // The working tree and its branch stay where they are: an editor may have them open.
  const bool is_behind = !is_separate() && state_.commit != head_.commit;
  const std::string pull =
      is_behind ? fmt::format("; `git pull --ff-only {} {}` updates this clone", settings_.remote, branch_) : "";
  say(Step::Push, fmt::format("{} is at {}{}", branch_, short_hex(*state_.commit), pull));
  return Result::Done;
}

// Reports the author of the concurrent push, then repeats all steps on the new tip.
Publisher::Result Publisher::render_again(SendResult sent, Sink& sink) {
  if (sent == SendResult::Failed || sent == SendResult::Protected) return Result::Failed;
  former_.reset();
  if (!look_at_remote(sink)) return Result::Failed;
  if (sent == SendResult::Mixed) {
    say(Step::Push,
        fmt::format("{} is at {}, on top of another push; rendering again", branch_, short_hex(*state_.commit)));
    return Result::Moved;
  }
  if (!state_.tip) return Result::Moved;
  const auto facts = world_.repository.facts(*state_.tip, sink);
  if (!facts) return Result::Failed;
  say(Step::Push, fmt::format("{} <{}> pushed first: {} is at {}; rendering again", facts->author.who.name,
                              facts->author.who.email, branch_, short_hex(*state_.tip)));
  return Result::Moved;
}

// This program owns the branch: it is replaced, whatever an earlier run pushed.
Publisher::Result Publisher::push_for_review(Sink& sink) {
  pushed_branch_ = review_branch();
  std::optional<ObjectId> before;
  if (!world_.remote.find(pushed_branch_, before, sink)) return Result::Failed;
  if (before) {
    Sink unfetched;
    static_cast<void>(world_.remote.fetch(pushed_branch_, std::string(kReviewRef), unfetched));
  }
  if (before && is_same(*before, *state_.commit)) {
    state_.commit = before;
    is_pushed_ = true;
  } else {
    const ObjectId made = *state_.commit;  // a host that creates commits itself sends another one
    const SendResult sent = send(pushed_branch_, before, sink);
    if (sent == SendResult::Protected)
      sink.report(diag::push_declined, Span(), url_, "refs/heads/" + pushed_branch_, "it is also protected");
    if (sent != SendResult::Done) return render_again(sent, sink);
    if (before) report_replaced(*before, made, "", sink);
  }
  const std::string line = fmt::format("{} is at {}: open a pull request from it into {}", pushed_branch_,
                                       short_hex(*state_.commit), branch_);
  if (settings_.pull_request == PullRequest::Always) say(Step::Push, line);
  else world_.dialogue.insist(Step::Push, fmt::format("{} is protected; {}", branch_, line));
  return Result::Done;
}

// ---- audit ----

Publisher::Result Publisher::audit(Sink& sink) {
  const bool is_asked = !is_chosen(Step::Push) && rendering_->changes().empty();
  if (is_asked) state_.commit = state_.base;
  if (!state_.commit || (!is_pushed_ && !is_asked && !options_.request)) return Result::Done;
  // The commit of a request has the values that it was rendered from.
  const Publication publication{options_.request ? *state_.commit : state_.source,
                                *state_.commit,
                                url_,
                                pushed_branch_,
                                who_,
                                place_.host,
                                world_.clock.seconds(),
                                place_.tool_version,
                                &rendering_->clusters(),
                                &rendering_->gone(),
                                is_pushed_};
  if (world_.audit != nullptr && !world_.audit->record(publication, sink)) return Result::Failed;
  if (!resumed_ || state_.head == *head_.commit) return Result::Done;
  // The interrupted run is complete. Later commits come next.
  former_.reset();
  is_pushed_ = false;
  return Result::Moved;
}

}  // namespace capwright::publish
