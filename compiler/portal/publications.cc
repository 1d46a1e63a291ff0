// One request: claims its key, has the engine publish, and turns the end into a response.
#include "portal/publications.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/sha.h"
#include "diag/catalog/git.h"
#include "diag/catalog/publish.h"
#include "portal/cluster_request.h"
#include "portal/problem.h"
#include "portal/publish_ledger.h"
#include "publish/remote.h"
#include "source/real_system.h"
#include "workflow/audit_session.h"
#include "workflow/publish_fleet.h"
#include "workflow/publish_remote.h"
#include "workflow/publish_settings.h"
#include "workflow/real_clock.h"

namespace capwright::portal {
namespace {

using PublishJson = nlohmann::ordered_json;

constexpr auto kMostTurnWait = std::chrono::seconds(60);  // for the publications before this one
constexpr std::int64_t kMostLockWait = 30;                // seconds, for publications of other machines
constexpr std::int64_t kHeldSeconds = 900;                // after which another machine may take over a request

// Removes the id again.
class RunningMark {
 public:
  RunningMark(std::mutex& mutex, std::set<std::string>& running, const std::string& id)
      : mutex_(mutex), running_(running), id_(id) {
    const std::lock_guard lock(mutex_);
    is_first_ = running_.insert(id_).second;
  }
  ~RunningMark() {
    const std::lock_guard lock(mutex_);
    if (is_first_) running_.erase(id_);
  }
  RunningMark(const RunningMark&) = delete;
  RunningMark& operator=(const RunningMark&) = delete;
  bool is_first() const { return is_first_; }

 private:
  std::mutex& mutex_;
  std::set<std::string>& running_;
  const std::string& id_;
  bool is_first_ = false;
};

class Silence final : public publish::Dialogue {
 public:
  void say(publish::Step, std::string_view) override {}
  void show_diff(std::string_view) override {}
  bool can_ask() override { return false; }
  bool agrees(std::string_view) override { return true; }
};

// What the run has found out, for the response.
struct Progress {
  workflow::PlacedValues placed;
  PublishJson errors = PublishJson::array();
  std::vector<std::string> files;  // changed ones
  std::optional<Response> refused;
  bool is_linted = false;                       // the render had no errors
  std::vector<std::string> broken;              // limits
  PublishJson consents = PublishJson::array();  // that are missing
};

// The cluster of the request, and what changes.
class RequestedFleet final : public publish::Fleet {
 public:
  RequestedFleet(workflow::CommittedFleet& fleet, const ClusterRequest& request, Progress& progress)
      : fleet_(fleet), request_(request), progress_(progress) {}

  std::unique_ptr<publish::Rendering> render(const publish::Commits& commits, publish::Verdict& verdict) override {
    progress_.errors = PublishJson::array();
    progress_.is_linted = false;
    auto rendering = fleet_.render(commits, verdict);
    if (rendering == nullptr) return nullptr;
    progress_.is_linted = true;
    for (const publish::RenderedCluster& cluster : rendering->clusters())
      progress_.refused = refusal(request_, *cluster.compiled);
    progress_.files.clear();
    for (const git::FileChange& change : rendering->changes()) progress_.files.push_back(change.path);
    std::sort(progress_.files.begin(), progress_.files.end());
    if (!progress_.refused) return rendering;
    verdict = publish::Verdict::Findings;
    return nullptr;
  }

 private:
  workflow::CommittedFleet& fleet_;
  const ClusterRequest& request_;
  Progress& progress_;
};

// What a request has to allow: machines are removed or replaced, or what happens to them isn't known.
bool needs_consent(const plan::Action& action) {
  switch (action.verb) {
    case plan::Verb::Delete:
    case plan::Verb::Orphan:
    case plan::Verb::Rejected:
    case plan::Verb::Blocked:
    case plan::Verb::Unknown:
    case plan::Verb::Upgrade:
    case plan::Verb::Roll: return true;
    case plan::Verb::Scale: return !action.grows;
    case plan::Verb::Create:
    case plan::Verb::Sync:
    case plan::Verb::InPlace:
    case plan::Verb::NoOp: break;
  }
  return false;
}

std::string consent_text(const plan::Action& action) {
  const std::string machines = action.machines.is_some() ? fmt::format(": {} machines", text_of(action.machines)) : "";
  return fmt::format("{} {}{}", plan::verb_name(action.verb), text_of(action.target), machines);
}

bool has(const Sink& sink, const DiagInfo& info) {
  return std::any_of(sink.diagnostics().begin(), sink.diagnostics().end(),
                     [&](const Diagnostic& fault) { return fault.info == &info; });
}

// Messages of these name what a client may know: branches, people, and the words of the host.
PublishJson errors_of(const Sink& sink) {
  PublishJson errors = PublishJson::array();
  for (const Diagnostic& fault : sink.diagnostics()) {
    PublishJson error = {{"detail", fault.info->name}, {"code", fault.info->code}, {"name", fault.info->name}};
    if (fault.info == &diag::push_declined.info || fault.info == &diag::publish_locked.info) {
      error["detail"] = fault.message;
      if (!fault.notes.empty()) error["notes"] = fault.notes;
    }
    errors.push_back(std::move(error));
  }
  return errors;
}

Response remote_problem(const Sink& sink) {
  PublishJson errors = errors_of(sink);
  if (has(sink, diag::publish_locked.info) || has(sink, diag::ref_locked.info))
    return problem(ProblemKind::Locked, "another run publishes to the branch", std::move(errors));
  if (has(sink, diag::moved_too_often.info) || has(sink, diag::branches_diverged.info))
    return problem(ProblemKind::Conflict, "the branch moved while it was being published", std::move(errors));
  const bool is_declined = has(sink, diag::push_declined.info) || has(sink, diag::token_not_enough.info);
  if (is_declined && publish::speaks_of_protection(sink))
    return problem(ProblemKind::ProtectedBranch, "the host accepts no pushes to the branch", std::move(errors));
  return problem(ProblemKind::Remote, "the remote can't be used, or refuses the push", std::move(errors));
}

// One request while it has its turn.
class PublicationRun {
 public:
  PublicationRun(const Call& call, const ClusterRequest& request, const PublishRequest& wanted,
                 const PublishOptions& options)
      : call_(call), request_(request), wanted_(wanted), options_(options) {}

  Response run() {
    workflow::OpenRequest opening = call_.checkout.request_of(Purpose::Encrypt);
    opening.values = {};
    opening.writes = true;
    open_ = workflow::open_project(opening);
    if (open_->project == nullptr || open_->sink.failed()) return own_problem();
    const std::string& prefix = open_->project->workspace().prefix;
    repository_ = git::open_repository(prefix.empty() ? "." : prefix, sink_);
    if (repository_ == nullptr) return own_problem();
    settings_ = workflow::publish_settings(*open_, opening.repository);
    if (auto refused = refuse_settings()) return std::move(*refused);
    std::string why;
    place_ = workflow::audit_place(*open_, *repository_, true, why);
    if (place_) store_ = audit::Store::open(place_->database, database::Access::Write, why);
    if (store_ == nullptr) return problem(ProblemKind::Repository, "the audit database can't be used");
    return publish_with_lock();
  }

 private:
  Response own_problem() {
    report::Findings faults;
    workflow::add_own_findings(*open_, faults);
    faults.add(sink_.diagnostics(), open_->sources, {}, "");
    return repository_problem(faults);
  }

  // One commit has values and files, so both need one branch.
  std::optional<Response> refuse_settings() {
    const auto refuse = [](const char* detail) { return problem(ProblemKind::Repository, detail); };
    const auto head = repository_->head(sink_);
    if (!head || !head->commit) return own_problem();
    if (head->ref.empty()) return refuse("the checkout of the server isn't on a branch");
    if (!settings_.branch.empty() && settings_.branch != head->branch())
      return refuse("`publish.branch` is another branch than the one with the values, so one commit can't have both");
    if (settings_.pull_request == publish::PullRequest::Always)
      return refuse("`publish.pull_request: always` doesn't allow a push to the branch");
    settings_.pull_request = publish::PullRequest::Never;
    settings_.wait_seconds = std::min(settings_.wait_seconds, kMostLockWait);
    return std::nullopt;
  }

  // Of the clone: the next process with the lock knows that the one before it has ended.
  std::string holder() const {
    return to_hex(sha256(options_.place.host + "\n" + repository_->private_folder())).substr(0, 16);
  }

  Response publish_with_lock() {
    clock_seconds_ = clock_.seconds();
    const std::string& caller = call_.caller.name;
    publish::ProcessLock lock(open_->files, repository_->private_folder() + "/capwright/serve");
    std::optional<publish::Holder> other;
    const publish::Holder self{caller,     options_.place.host, options_.place.process,
                               wanted_.id, clock_seconds_,      clock_seconds_ + kHeldSeconds};
    const auto taken = lock.take(self, "capwright publishes " + settings_.branch, other, sink_);
    if (taken == publish::ProcessLock::Answer::Busy)
      return problem(ProblemKind::Locked, "another server publishes in this clone");
    if (taken == publish::ProcessLock::Answer::Failed) return own_problem();
    DatabaseLedger ledger(*store_,
                          {wanted_.id, wanted_.fingerprint, caller, request_.cluster, holder(), clock_seconds_,
                           clock_seconds_ + kHeldSeconds},
                          place_->keeps_text,
                          [this](const publish::Publication& publication) { return answer_text(publication); });
    const publish::OnceEnd end = publish_by(ledger);
    if (end != publish::OnceEnd::Done && end != publish::OnceEnd::Known) return refusal_for(end, ledger);
    Response response{200, "application/json", ledger.answer()};
    if (end == publish::OnceEnd::Known) response.headers.emplace_back("Idempotency-Replayed", "true");
    return response;
  }

  publish::OnceEnd publish_by(publish::Ledger& ledger) {
    using Condition = workflow::RequestedValues::Condition;
    workflow::RequestedValues values{request_.cluster,        call_.request.body, request_.values.is_json(),
                                     call_.checkout.folder(), Condition::None,    wanted_.expected_id};
    if (wanted_.if_missing) values.condition = Condition::IsMissing;
    else if (!wanted_.expected_id.empty()) values.condition = Condition::HasId;
    workflow::CommittedFleet committed(
        {*open_, *repository_, options_.gate, false, false, 1, false,
         [this](const report::Findings& findings) { keep_errors(findings); }, [](const std::string&) {}, &values,
         [this](const workflow::PlacedValues& placed) { progress_.placed = placed; },
         [this](const report::FleetPlan& plan, const report::Findings& findings) { return approve(plan, findings); }});
    RequestedFleet fleet(committed, request_, progress_);
    workflow::ChosenRemote chosen(*open_, *repository_, settings_,
                                  {false, false, options_.token_env, options_.token_file});
    publish::Remote* remote = chosen.choose(sink_);
    if (remote == nullptr) return publish::OnceEnd::Failed;
    publish::Options steps;
    steps.yes = steps.restart = true;
    steps.request = publish::Request{wanted_.id, call_.caller.name, request_.cluster};
    return publish::publish_once({*repository_, *remote, open_->files, open_->programs, clock_, silence_, fleet},
                                 {settings_, steps, options_.place}, ledger, sink_);
  }

  void keep_errors(const report::Findings& findings) {
    const std::string& path = progress_.placed.path.empty() ? request_.file.path : progress_.placed.path;
    for (PublishJson& error : errors_json(findings, request_.values, path))
      progress_.errors.push_back(std::move(error));
  }

  bool approve(const report::FleetPlan& plan, const report::Findings& findings) {
    progress_.broken = plan.broken;
    progress_.consents = PublishJson::array();
    keep_errors(findings);
    for (const plan::ClusterPlan& cluster : plan.clusters) {
      for (const plan::Action& action : cluster.actions) {
        const std::string_view verb = plan::verb_name(action.verb);
        if (needs_consent(action) && !wanted_.allowed.contains(verb))
          progress_.consents.push_back({{"detail", consent_text(action)}, {"allow", verb}});
      }
    }
    return progress_.consents.empty();
  }

  std::string answer_text(const publish::Publication& publication) const {
    PublishJson files = PublishJson::array();
    for (const std::string& path : progress_.files) {
      const bool is_values = path.ends_with(progress_.placed.path) || path.ends_with("/.capwright-index");
      if (!is_values) files.push_back(path);
    }
    const PublishJson answer = {{"version", 1},
                                {"cluster", request_.cluster},
                                {"changed", publication.is_pushed},
                                {"commit", git::hex(publication.commit)},
                                {"branch", publication.branch},
                                {"values_path", progress_.placed.path},
                                {"values_id", git::hex(repository_->blob_id(call_.request.body))},
                                {"files", std::move(files)}};
    return answer.dump(-1, ' ', false, PublishJson::error_handler_t::replace);
  }

  Response refusal_for(publish::OnceEnd end, const DatabaseLedger& ledger) {
    if (end == publish::OnceEnd::Busy)
      return problem(ProblemKind::RequestInProgress, "another server works on the request with this key");
    if (end == publish::OnceEnd::Another)
      return problem(ProblemKind::KeyReused, "send a new `Idempotency-Key` with other values or options");
    if (ledger.has_failed()) return problem(ProblemKind::Repository, "the audit database can't be used");
    if (progress_.refused) return std::move(*progress_.refused);
    if (!progress_.placed.fault.empty()) return problem(ProblemKind::Conflict, progress_.placed.fault);
    if (progress_.placed.breaks_condition) {
      return problem(ProblemKind::PreconditionFailed, wanted_.if_missing
                                                          ? "the branch has values of this cluster"
                                                          : "the values file on the branch is another one");
    }
    if (!progress_.consents.empty())
      return problem(ProblemKind::ConsentRequired, "name what may happen with `?allow=`",
                     std::move(progress_.consents));
    if (!progress_.broken.empty())
      return problem(ProblemKind::LimitExceeded, fmt::format("{}", fmt::join(progress_.broken, "; ")));
    if (end == publish::OnceEnd::Stopped) {
      return problem(progress_.is_linted ? ProblemKind::LintErrors : ProblemKind::InvalidValues,
                     "nothing was published", std::move(progress_.errors));
    }
    if (!sink_.failed()) return problem(ProblemKind::Repository, "nothing was published", std::move(progress_.errors));
    return remote_problem(sink_);
  }

  const Call& call_;
  const ClusterRequest& request_;
  const PublishRequest& wanted_;
  const PublishOptions& options_;
  std::unique_ptr<workflow::OpenProject> open_;
  std::unique_ptr<git::Repository> repository_;
  publish::Settings settings_;
  std::optional<audit::Place> place_;
  std::unique_ptr<audit::Store> store_;
  workflow::RealClock clock_;
  std::int64_t clock_seconds_ = 0;
  Silence silence_;
  Sink sink_;
  Progress progress_;
};

}  // namespace

Response Publications::publish(const Call& call, const ClusterRequest& request, const PublishRequest& wanted) {
  const RunningMark mark(mutex_, running_, wanted.id);
  if (!mark.is_first())
    return problem(ProblemKind::RequestInProgress, "this server works on the request with this key");
  const std::unique_lock turn(turn_, kMostTurnWait);
  if (!turn.owns_lock()) return problem(ProblemKind::Busy, "other publications took too long");
  return PublicationRun(call, request, wanted, options_).run();
}

}  // namespace capwright::portal
