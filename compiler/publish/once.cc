// The engine's own state serves one run at a time in a clone. A request may be repeated after other runs, so the branch
// itself is asked.
#include "publish/once.h"

#include <deque>
#include <fmt/format.h>
#include <set>

#include "git/repository.h"

namespace capwright::publish {
namespace {

using git::ObjectId;

constexpr std::size_t kMostCommits = 100'000;  // that were added since the first attempt

// Notes each push before it begins.
class NotingRemote final : public Remote {
 public:
  NotingRemote(Remote& remote, Ledger& ledger) : remote_(remote), ledger_(ledger) {}

  bool has_pushed() const { return has_pushed_; }

  std::vector<std::string> remarks() override { return remote_.remarks(); }
  bool takes_commits() const override { return remote_.takes_commits(); }
  bool find(const std::string& branch, std::optional<ObjectId>& tip, Sink& sink) override {
    return remote_.find(branch, tip, sink);
  }
  bool find_branches(std::map<std::string, ObjectId>& tips, Sink& sink) override {
    return remote_.find_branches(tips, sink);
  }
  std::optional<ObjectId> fetch(const std::string& branch, const std::string& into, Sink& sink) override {
    return remote_.fetch(branch, into, sink);
  }
  SendResult send(const Delivery& delivery, ObjectId& arrived, Sink& sink) override {
    if (!ledger_.note_push(delivery.expected, sink)) return SendResult::Failed;
    has_pushed_ = true;
    return remote_.send(delivery, arrived, sink);
  }
  bool find_lock(const std::string& branch, std::optional<ObjectId>& lock, Sink& sink) override {
    return remote_.find_lock(branch, lock, sink);
  }
  std::optional<std::string> lock_text(const std::string& branch, const ObjectId& lock, Sink& sink) override {
    return remote_.lock_text(branch, lock, sink);
  }
  git::PushResult swap_lock(const LockSwap& swap, ObjectId& after, Sink& sink) override {
    return remote_.swap_lock(swap, after, sink);
  }

 private:
  Remote& remote_;
  Ledger& ledger_;
  bool has_pushed_ = false;
};

class LedgerAudit final : public Audit {
 public:
  explicit LedgerAudit(Ledger& ledger) : ledger_(ledger) {}
  bool record(const Publication& publication, Sink& sink) override { return ledger_.finish(publication, sink); }

 private:
  Ledger& ledger_;
};

bool names_request(const std::string& message, const std::string& id) {
  const std::string line = fmt::format("\n{}: {}", kRequestTrailer, id);
  const std::size_t at = message.rfind(line);
  return at != std::string::npos && (at + line.size() == message.size() || message[at + line.size()] == '\n');
}

// A request that may have been delivered before.
class Earlier {
 public:
  Earlier(const World& world, const Job& job)
      : world_(world), settings_(job.settings), request_(*job.options.request), place_(job.place) {}

  // Looks for its commit among those that were added after `base`. False after an error.
  bool find(const ObjectId& base, Sink& sink) {
    const auto head = world_.repository.head(sink);
    if (!head) return false;
    branch_ = settings_.branch.empty() ? std::string(head->branch()) : settings_.branch;
    std::optional<ObjectId> tip;
    if (!world_.remote.find(branch_, tip, sink)) return false;
    if (!tip) return true;
    Sink unknown;
    if (!world_.repository.facts(*tip, unknown)) tip = world_.remote.fetch(branch_, tracking_ref(), sink);
    if (!tip) return false;
    search(*tip, base);
    return true;
  }
  bool is_found() const { return found_.has_value(); }

  // Renders the commit again, for the rows of the audit.
  OnceEnd finish(Ledger& ledger, Sink& sink) {
    const auto url = world_.repository.remote_url(settings_.remote, sink);
    const auto who = world_.repository.identity(sink);
    if (!url || !who) return OnceEnd::Failed;
    Verdict verdict = Verdict::Fine;
    const auto rendering = world_.fleet.render({*found_, parent_, parent_}, verdict);
    if (rendering == nullptr) return verdict == Verdict::Findings ? OnceEnd::Stopped : OnceEnd::Failed;
    const Publication publication{*found_,
                                  *found_,
                                  git::shown_url(*url),
                                  branch_,
                                  *who,
                                  place_.host,
                                  world_.clock.seconds(),
                                  place_.tool_version,
                                  &rendering->clusters(),
                                  &rendering->gone()};
    return ledger.finish(publication, sink) ? OnceEnd::Done : OnceEnd::Failed;
  }

 private:
  std::string tracking_ref() const { return publish::tracking_ref(settings_.remote, branch_); }

  // Parents that a shallow clone lacks are older than the base.
  void search(const ObjectId& tip, const ObjectId& base) {
    std::deque<ObjectId> waiting{tip};
    std::set<ObjectId> seen{tip};
    while (!waiting.empty() && seen.size() < kMostCommits) {
      const ObjectId commit = waiting.front();
      waiting.pop_front();
      if (commit == base) continue;
      Sink unread;
      const auto facts = world_.repository.facts(commit, unread);
      if (!facts) continue;
      if (names_request(facts->message, request_.id)) {
        found_ = commit;
        if (!facts->parents.empty()) parent_ = facts->parents.front();
        return;
      }
      for (const ObjectId& parent : facts->parents) {
        if (seen.insert(parent).second) waiting.push_back(parent);
      }
    }
  }

  const World& world_;
  const Settings& settings_;
  const Request& request_;
  const Place& place_;
  std::string branch_;
  std::optional<ObjectId> found_, parent_;
};

}  // namespace

OnceEnd publish_once(const World& world, const Job& job, Ledger& ledger, Sink& sink) {
  std::optional<ObjectId> pushed_onto;
  switch (ledger.claim(pushed_onto, sink)) {
    case Ledger::Claim::Taken: break;
    case Ledger::Claim::Busy: return OnceEnd::Busy;
    case Ledger::Claim::Another: return OnceEnd::Another;
    case Ledger::Claim::Finished: return OnceEnd::Known;
    case Ledger::Claim::Failed: return OnceEnd::Failed;
  }
  if (pushed_onto) {
    Earlier earlier(world, job);
    if (!earlier.find(*pushed_onto, sink)) return OnceEnd::Failed;
    if (earlier.is_found()) return earlier.finish(ledger, sink);
  }
  NotingRemote remote(world.remote, ledger);
  LedgerAudit audit(ledger);
  Publisher publisher(
      {world.repository, remote, world.files, world.programs, world.clock, world.dialogue, world.fleet, &audit},
      job.settings, job.options, job.place);
  const End end = publisher.run(sink);
  if (end == End::Done) return OnceEnd::Done;
  if (!remote.has_pushed() && !pushed_onto) ledger.release();
  return end == End::Stopped ? OnceEnd::Stopped : OnceEnd::Failed;
}

}  // namespace capwright::publish
