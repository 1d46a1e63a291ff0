// Requests with a key, with a real repository and remote: each is published once, wherever the process ends.
#include <functional>

#include "publish/git_remote.h"
#include "publish/once.h"
#include "publish_world.h"
#include "scratch_repository.h"
#include "uncounted_leaks.h"

namespace capwright {
namespace {

using publish::OnceEnd;
using test::Life;

// What stays of a ledger when its process ends.
struct Books {
  struct Entry {
    std::string fingerprint;
    std::optional<git::ObjectId> pushed_onto;
    std::string answer;  // the commit
  };
  std::map<std::string, Entry> entries;
  std::map<std::string, int> rows;  // of the audit, by commit
};

class BookLedger final : public publish::Ledger {
 public:
  BookLedger(Books& books, Life& life, std::string id, std::string fingerprint)
      : books_(books), life_(life), id_(std::move(id)), fingerprint_(std::move(fingerprint)) {}

  Claim claim(std::optional<git::ObjectId>& pushed_onto, Sink& sink) override {
    const Claim claim = live(life_, Claim::Failed, [&] {
      Books::Entry& entry = books_.entries.try_emplace(id_, Books::Entry{fingerprint_, {}, ""}).first->second;
      pushed_onto = entry.pushed_onto;
      if (entry.fingerprint != fingerprint_) return Claim::Another;
      return entry.answer.empty() ? Claim::Taken : Claim::Finished;
    });
    return claim == Claim::Failed ? (fail(sink), claim) : claim;
  }
  bool note_push(const std::optional<git::ObjectId>& tip, Sink& sink) override {
    return change(sink, [&] {
      Books::Entry& entry = books_.entries[id_];
      if (!entry.pushed_onto) entry.pushed_onto = tip;
    });
  }
  bool finish(const publish::Publication& publication, Sink& sink) override {
    return change(sink, [&] {
      books_.entries[id_].answer = hex(publication.commit);
      ++books_.rows[hex(publication.commit)];
      CHECK(publication.source == publication.commit);
      CHECK(publication.clusters->size() == 1);
    });
  }
  void release() override {
    Sink ignored;
    change(ignored, [&] {
      if (!books_.entries[id_].pushed_onto) books_.entries.erase(id_);
    });
  }

 private:
  bool change(Sink& sink, const std::function<void()>& call) {
    const bool is_changed = live(life_, false, [&] {
      call();
      return true;
    });
    return is_changed || fail(sink);
  }
  static bool fail(Sink& sink) {
    sink.report(diag::io_failed, Span(), "audit.db", "written", "no space left on device");
    return false;
  }

  Books& books_;
  Life& life_;
  const std::string id_, fingerprint_;
};

// Adds `values/a` with the text of the request.
class RequestFleet final : public publish::Fleet {
 public:
  RequestFleet(git::Repository& repository, Life& life, std::string text)
      : repository_(repository), copies_(repository, life), text_(std::move(text)) {}

  std::unique_ptr<publish::Rendering> render(const publish::Commits& commits, publish::Verdict& verdict) override {
    verdict = publish::Verdict::Fault;
    Sink sink;
    const git::Signature drafter{{"a", "a@example.com"}, 0, 0};
    const auto draft =
        repository_.make_commit({commits.source, {{"values/a", text_}}, "x", drafter, drafter, {}}, sink);
    if (!draft) return nullptr;
    auto copies = copies_.render({*draft, commits.base, commits.published}, verdict);
    if (copies == nullptr) return nullptr;
    return std::make_unique<WithValues>(std::move(copies), text_, *draft != commits.source);
  }

 private:
  class WithValues final : public publish::Rendering {
   public:
    WithValues(std::unique_ptr<publish::Rendering> copies, const std::string& text, bool changes)
        : copies_(std::move(copies)), changes_(copies_->changes()) {
      if (changes) changes_.push_back({"values/a", text});
    }
    const std::vector<git::FileChange>& changes() const override { return changes_; }
    const std::vector<publish::RenderedCluster>& clusters() const override { return copies_->clusters(); }
    const std::vector<std::string>& removed() const override { return copies_->removed(); }
    const std::vector<publish::GoneCluster>& gone() const override { return copies_->gone(); }
    publish::Verdict lint(std::string& said) override { return copies_->lint(said); }
    publish::Verdict diff(std::string& text) override { return copies_->diff(text); }

   private:
    std::unique_ptr<publish::Rendering> copies_;
    std::vector<git::FileChange> changes_;
  };

  git::Repository& repository_;
  test::CopyingFleet copies_;
  const std::string text_;
};

class OnceSite {
 public:
  test::ScratchRepository scratch;
  test::SetClock clock;
  Books books;

  OnceSite() {
    scratch.shell(
        "printf 'server\\n' > .git/info/exclude; mkdir values; echo 1 > values/a; git add .; git commit -qm one\n"
        "mkdir server; git clone -q --bare . server/fleet.git; git remote add origin \"file://$PWD/server/fleet.git\"\n"
        "git fetch -q");
  }

  OnceEnd run(const std::string& id, const std::string& text, Life& life) {
    Sink sink;
    const auto repository = git::open_repository(scratch.path(), sink);
    REQUIRE(repository != nullptr);
    test::MortalRepository mortal(*repository, life);
    test::MortalFs files(life);
    RealPrograms programs;
    test::Script script;
    RequestFleet fleet(mortal, life, text);
    BookLedger ledger(books, life, id, text);
    publish::Settings settings;
    settings.wait_seconds = 0;
    publish::Options options;
    options.yes = options.restart = true;
    options.request = publish::Request{id, "portal", "a"};
    publish::GitRemote remote(mortal, {}, settings.remote);
    const publish::Place place{"build-7", 42, 60, "1.2.3"};
    return publish::publish_once({mortal, remote, files, programs, clock, script, fleet}, {settings, options, place},
                                 ledger, sink);
  }
  OnceEnd run(const std::string& id, const std::string& text) {
    Life life;
    life.at = -1;
    clock.now += 10;
    return run(id, text, life);
  }

  std::string answer(const std::string& id) const {
    const auto found = books.entries.find(id);
    return found == books.entries.end() ? "" : found->second.answer;
  }
  std::string there(const std::string& revision) const {
    return scratch.word("git -C server/fleet.git rev-parse -q --verify " + revision + " || echo none");
  }
  // How many commits of the branch have the request.
  int count(const std::string& id) const {
    return std::stoi(scratch.word("git -C server/fleet.git log --format=%B main | grep -c '^Capwright-Request: " + id +
                                  "$' || true"));
  }
};

TEST_CASE("a request is one commit with its values, on top of the remote's branch") {
  OnceSite site;
  site.scratch.shell("echo mine > values/mine; echo 9 > values/a; git add values/mine");  // not of the request
  const std::string before = site.there("main"), index = site.scratch.word("git status --porcelain");
  CHECK(site.run("r1", "2\n") == OnceEnd::Done);
  CHECK(site.there("main^") == before);
  CHECK(site.scratch.word("git -C server/fleet.git show main:values/a") == "2");
  CHECK(site.scratch.word("git -C server/fleet.git show main:clusters/a/out") == "2");
  CHECK(site.scratch.word("git status --porcelain") == index);
  CHECK(site.scratch.word("git rev-parse HEAD") == before);
  CHECK(site.answer("r1") == site.there("main"));
  CHECK(site.scratch.word("git -C server/fleet.git log -1 --format=%B main").find("Capwright-Caller: portal") !=
        std::string::npos);

  CHECK(site.run("r1", "2\n") == OnceEnd::Known);
  CHECK(site.run("r1", "3\n") == OnceEnd::Another);
  CHECK(site.run("r2", "2\n") == OnceEnd::Done);  // nothing changes
  CHECK(site.there("main^") == before);
  CHECK(site.answer("r2") == site.there("main"));
}

// Ends the process at each call in turn. Before the request is repeated, another one is published.
void repeat_with_faults(Life::Fault fault) {
  OnceSite site;
  for (int at = 0;; ++at) {
    const std::string id = fmt::format("r{}", at), text = fmt::format("{}\n", at + 2);
    Life life{fault, at, 0, false};
    site.clock.now += 10;
    const OnceEnd first = site.run(id, text, life);
    INFO("call " << at);
    const std::string answer = site.answer(id);
    const bool is_acknowledged = first == OnceEnd::Done;
    if (is_acknowledged) CHECK(answer == site.there("main"));
    if (at % 3 == 1) {  // a second process, which ends sooner
      Life again{fault, at / 2, 0, false};
      site.clock.now += 10;
      site.run(id, text, again);
    }
    if (at % 2 == 0) {
      const OnceEnd between = site.run(id + "-other", text + "and more\n");
      CHECK(between == OnceEnd::Done);
    }
    const OnceEnd second = site.run(id, text);
    CHECK((second == OnceEnd::Done || second == OnceEnd::Known));
    if (!answer.empty()) CHECK(second == OnceEnd::Known);
    if (!answer.empty()) CHECK(site.answer(id) == answer);
    CHECK(site.count(id) == 1);
    CHECK(site.books.rows[site.answer(id)] == 1);
    CHECK(site.run(id + "-next", text) == OnceEnd::Done);  // replaces a lock of the killed process
    CHECK(site.there("refs/capwright/lock/main") == "none");
    if (life.was_reached()) continue;
    CHECK(at > 30);
    break;
  }
  site.scratch.shell("git -C server/fleet.git fsck --strict --no-dangling && git fsck --strict --no-dangling");
}

TEST_CASE("a request whose process is killed before any call is published once") {
  repeat_with_faults(Life::Fault::DiesBefore);
}
TEST_CASE("a request whose process is killed after any call is published once") {
  repeat_with_faults(Life::Fault::DiesAfter);
}
TEST_CASE("a request in which any call fails is published once") { repeat_with_faults(Life::Fault::Fails); }

}  // namespace
}  // namespace capwright
