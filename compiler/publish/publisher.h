// `capwright publish` without its command line: pushes a clean commit to a branch of the remote, step by step. It can
// be interrupted at any point and resumed.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "publish/remote_lock.h"
#include "publish/settings.h"
#include "publish/state.h"
#include "publish/world.h"
#include "steps/process_lock.h"

namespace capwright::publish {

using steps::ProcessLock;

enum class End : std::uint8_t {
  Done,     // completed, possibly without any changes
  Stopped,  // findings, or the user declined
  Failed,   // the Sink has the reason
};

class Publisher {
 public:
  // All arguments must outlive it.
  Publisher(World world, Settings settings, Options options, Place place);

  // Call it once.
  End run(Sink& sink);

 private:
  enum class Result : std::uint8_t { Done, Stopped, Failed, Moved };

  // The steps, in the order of the table in publisher.cc.
  Result preflight(Sink& sink);
  Result origin(Sink& sink);
  Result lock(Sink& sink);
  Result clean(Sink& sink);
  Result render(Sink& sink);
  Result lint(Sink& sink);
  Result diff(Sink& sink);
  Result commit(Sink& sink);
  Result push(Sink& sink);
  Result audit(Sink& sink);

  Result run_step(Step step, Sink& sink);
  bool save(Sink& sink);
  bool resumes(Sink& sink);
  bool is_chosen(Step step) const;
  void say(Step step, const std::string& line) { world_.dialogue.say(step, line); }

  // For preflight.
  bool find_branch(Sink& sink);
  std::string advice_on_stopped() const;
  void tell_hooks();
  // For lock.
  RemoteLock::Request lock_request();
  Result take_remote_lock(Sink& sink);
  void report_locked(const std::optional<Holder>& other, bool in_clone, Sink& sink);
  // For clean.
  Result commit_all(std::size_t count, Sink& sink);
  // For render.
  bool look_at_remote(Sink& sink);
  bool fetch_branch(Sink& sink);
  bool choose_source(Sink& sink);
  bool choose_tip(Sink& sink);
  std::optional<std::string> published_source(Sink& sink);
  bool has_published_source(Sink& sink);
  bool is_source_pushed(Sink& sink);
  bool has_sources(const git::ObjectId& commit);
  void explain_missing(Diagnostic& fault, std::string note, std::string advice);
  bool may_publish_to_sources(Sink& sink);
  bool has_branch_with(const git::ObjectId& commit, const std::map<std::string, git::ObjectId>& tips);
  bool is_delivered();
  // For commit and push.
  std::optional<std::string> message(Sink& sink);
  std::string message_text() const;
  std::vector<std::string> changed_names() const;
  std::optional<git::ObjectId> make_commit(Sink& sink);
  bool is_there_already() const { return resumed_ && state_.commit == state_.tip; }
  bool is_as_rendered();
  bool take_up_commit(Sink& sink);
  bool is_agreed(const std::string& what);
  bool keep_commit(const git::ObjectId& commit, Sink& sink);
  bool is_same(const git::ObjectId& one, const git::ObjectId& other);
  SendResult send(const std::string& branch, const std::optional<git::ObjectId>& expected, Sink& sink);
  Result push_for_review(Sink& sink);
  std::string review_branch() const;
  void foresee_review(Sink& sink);
  void report_replaced(const git::ObjectId& before, const git::ObjectId& after, const std::string& condition,
                       Sink& sink);
  Result render_again(SendResult sent, Sink& sink);

  git::Signature signature();
  // A folder for each branch, so that `feat` and `feat/x` don't conflict.
  std::string kept_ref() const { return "refs/capwright/made/" + branch_ + "/@"; }
  // Whether rendered files go to another branch than the checked-out one.
  bool is_separate() const { return head_.ref != ref_; }
  std::string tracking_ref() const { return publish::tracking_ref(settings_.remote, branch_); }

  static constexpr std::string_view kReviewRef = "refs/capwright/review";  // the pull request branch, as fetched
  static constexpr std::string_view kSourceTrailer = "Capwright-Source: ";

  World world_;
  const Settings settings_;
  const Options options_;
  const Place place_;
  const std::string folder_;  // `.git/capwright`
  ProcessLock process_lock_;
  std::optional<RemoteLock> remote_lock_;

  git::Head head_;
  git::Identity who_;
  std::string branch_, ref_, url_;  // "main", "refs/heads/main"; the redacted URL
  std::string pushed_branch_;
  State state_;
  std::optional<State> former_;           // an earlier, unfinished run
  std::vector<std::string> former_runs_;  // of its locks, and of those before it
  bool resumed_ = false;                  // `former_` has created the commit
  bool locked_ = false;
  bool is_pushed_ = false;  // by this run, or by the run that it resumes
  std::unique_ptr<Rendering> rendering_;
};

}  // namespace capwright::publish
