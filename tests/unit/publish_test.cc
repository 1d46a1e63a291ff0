// Publishing end to end with real repositories: its results, also with concurrent changes and after an interruption at
// any point.
#include <deque>
#include <functional>

#include "publish/git_remote.h"
#include "publish/publisher.h"
#include "publish/world.h"
#include "publish_world.h"
#include "scratch_repository.h"
#include "uncounted_leaks.h"

namespace capwright {
namespace {

using publish::End;
using publish::Step;
using publish::Verdict;
using test::Life;

struct PublishOutcome {
  End end;
  std::string said;
  std::string faults;  // codes and messages
  Life life;
};

// A clone on `main` with one commit, and the repository that it was pushed to.
class Site {
 public:
  test::ScratchRepository scratch;
  test::SetClock clock;
  publish::Settings settings;
  publish::Options options;
  publish::Place place{"build-7", 42, 60, "1.2.3"};
  std::map<std::string, std::string> rows;  // of the audit
  Verdict rendered = Verdict::Fine, linted = Verdict::Fine;
  bool answer = true, someone_is_there = true;
  std::string url;

  Site() {
    scratch.shell(
        "printf 'server\\nother\\n' > .git/info/exclude; mkdir values; echo 1 > values/a; git add .; git commit -qm "
        "one\n"
        "mkdir server; git clone -q --bare . server/fleet.git; git remote add origin \"file://$PWD/server/fleet.git\"\n"
        "git fetch -q");
    url = scratch.word("git remote get-url origin");
    settings.wait_seconds = 0;
  }

  PublishOutcome run(Life life = {}, const std::string& clone = "") {
    Sink sink;
    const auto repository = git::open_repository(scratch.path() + clone, sink);
    REQUIRE(repository != nullptr);
    test::MortalRepository mortal(*repository, life);
    test::MortalFs files(life);
    RealPrograms programs;
    test::Script script;
    script.answer = answer;
    script.is_there = someone_is_there;
    test::CopyingFleet fleet(*repository, life);
    fleet.next = rendered;
    fleet.linted = linted;
    test::Records records(life);
    records.rows = rows;
    End end = End::Failed;
    {
      publish::GitRemote remote(mortal, {}, settings.remote);
      publish::Publisher publisher({mortal, remote, files, programs, clock, script, fleet, &records}, settings, options,
                                   place);
      end = publisher.run(sink);
    }
    rows = records.rows;
    std::string faults;
    for (const Diagnostic& fault : sink.diagnostics()) {
      faults += fmt::format("{}: {}\n", fault.info->code, fault.message);
      for (const std::string& note : fault.notes) faults += "note: " + note + "\n";
    }
    if (fleet.has_failed) faults += "what the fleet shows\n";
    return {end, plain(script.said), plain(faults), life};
  }

  std::string there(const std::string& ref) const {
    return scratch.word("git -C server/fleet.git rev-parse -q --verify " + ref + " || echo none");
  }
  std::string published(const std::string& path, const std::string& branch = "main") const {
    return scratch.word("git -C server/fleet.git show " + branch + ":" + path + " 2> /dev/null || echo none");
  }
  std::string lock() const { return there("refs/capwright/lock/main"); }
  void change(const std::string& text) const {
    scratch.shell("git pull -q --ff-only origin main; echo " + text + " > values/a; git commit -qam 'values " + text +
                  "'");
  }

 private:
  // Names of commits become ID, and URLs become URL.
  std::string plain(std::string text) const {
    for (std::size_t at = 0; (at = text.find(url, at)) != std::string::npos;) text.replace(at, url.size(), "URL");
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || (text[end] >= 'a' && text[end] <= 'f')))
        ++end;
      if (end - i == 10) out += "ID";
      else out += text.substr(i, std::max<std::size_t>(end - i, 1));
      i = std::max(end, i + 1);
    }
    return out;
  }
};

TEST_CASE("a publication is one commit on the branch, and none if nothing differs") {
  Site site;
  const std::string head = site.scratch.word("git rev-parse HEAD");
  const PublishOutcome first = site.run();
  CHECK(first.faults == "");
  CHECK(first.end == End::Done);
  CHECK(first.said ==
        "preflight: main of URL by Team <fleet@example.com>\nrender: 1 cluster of ID into 1 changed file\na diff\n"
        "? publish 1 changed file to main of URL?\ncommit: made ID\npush: main is at ID; `git pull --ff-only origin "
        "main` updates this clone\n");
  CHECK(site.published("clusters/a/out") == "1");
  CHECK(site.scratch.word("git -C server/fleet.git log -1 --format=%P main") == head);
  CHECK(site.scratch.shell("git -C server/fleet.git log -1 --format=%B main") ==
        "Render a\n\nCapwright-Source: " + head + "\nCapwright-Version: 1.2.3\nCapwright-Clusters: a\n\n");
  CHECK(site.scratch.word("git -C server/fleet.git log -1 --format='%an %ae %ad %cd' --date=raw main") ==
        "Team fleet@example.com 1700000000 +0100 1700000000 +0100");
  CHECK(site.rows == std::map<std::string, std::string>{{site.there("main"), head}});
  CHECK(site.lock() == "none");
  // The clone is unchanged, except for its remote-tracking refs.
  CHECK(site.scratch.word("git status --porcelain; git rev-parse HEAD") == head);
  CHECK(site.scratch.word("git rev-parse origin/main") == site.there("main"));

  const std::string after = site.there("main");
  site.clock.now += 60;
  const PublishOutcome second = site.run();
  CHECK(second.end == End::Done);
  CHECK(second.said.ends_with("diff: no changes since the last publication\ncommit: nothing to do\n"));
  CHECK(site.there("main") == after);
  CHECK(site.rows.size() == 1);
  site.scratch.shell("git -C server/fleet.git fsck --strict && git fsck --strict --no-dangling");
}

TEST_CASE("the user's commits are pushed too, even if the render changes nothing") {
  Site site;
  site.scratch.shell("mkdir -p clusters/a && cp values/a clusters/a/out && git add . && git commit -qm 'by hand'");
  site.answer = false;
  CHECK(site.run().said.ends_with("? publish the commits up to ID to main of URL?\ncommit: nothing was published\n"));
  site.answer = true;
  const PublishOutcome outcome = site.run();
  CHECK(outcome.end == End::Done);
  CHECK(site.there("main") == site.scratch.word("git rev-parse HEAD"));
}

TEST_CASE("a branch of rendered files starts empty and continues from its last commit") {
  Site site;
  site.settings.branch = "rendered";
  CHECK(site.run().end == End::Done);
  CHECK(site.scratch.word("git -C server/fleet.git ls-tree -r --name-only rendered") == "clusters/a/out");
  CHECK(site.run().end == End::Done);
  site.scratch.shell("echo 2 > values/a; git commit -qam two; git push -q origin main");
  CHECK(site.run().end == End::Done);
  CHECK(site.published("clusters/a/out", "rendered") == "2");
  CHECK(site.scratch.word("git -C server/fleet.git rev-list --count rendered") == "2");
}

TEST_CASE("a branch of rendered files gets commits of any branch of the remote, even if its tip isn't here") {
  Site site;
  site.settings.branch = "rendered";
  site.scratch.shell("git checkout -qb feature; echo 2 > values/a; git commit -qam two");
  CHECK(site.run().faults.starts_with("G265: no branch of `origin` has the commit ID\n"));
  site.scratch.shell(
      "git push -q origin feature; cd server/fleet.git; git update-ref refs/heads/feature $(git -c "
      "user.name=Bo -c user.email=b@example.com commit-tree -p feature -m b feature^{tree})");
  CHECK(site.run().end == End::Done);
}

TEST_CASE("obstacles are reported, and nothing is changed") {
  Site site;
  const std::string before = site.there("main");
  SECTION("changes that are not committed") {
    site.scratch.shell("echo 2 > values/a; echo new > b");
    const PublishOutcome outcome = site.run();
    CHECK(outcome.end == End::Failed);
    CHECK(outcome.faults == "G250: 2 files have uncommitted changes\nnote: b\nnote: values/a\n");
  }
  SECTION("another remote than configured") {
    site.settings.url = "https://git.example.com/platform/fleet.git";
    const PublishOutcome outcome = site.run();
    CHECK(outcome.end == End::Failed);
    CHECK(outcome.faults ==
          "G251: `origin` is `URL`, but `publish.url` is `https://git.example.com/platform/fleet.git`\n");
  }
  SECTION("findings of lint") {
    site.linted = Verdict::Findings;
    CHECK(site.run().end == End::Stopped);
  }
  SECTION("faults of the render") {
    site.rendered = Verdict::Findings;
    CHECK(site.run().end == End::Stopped);
    site.rendered = Verdict::Fault;
    CHECK(site.run().end == End::Failed);
  }
  SECTION("the user's answer") {
    site.answer = false;
    const PublishOutcome outcome = site.run();
    CHECK(outcome.end == End::Stopped);
    CHECK(outcome.said.ends_with("commit: nothing was published\n"));
  }
  SECTION("branches that have parted") {
    site.scratch.shell(
        "git clone -q server/fleet.git other && cd other && git config user.name Bo && git config user.email "
        "b@example.com"
        "&& echo b > values/b && git add . && git commit -qm b && git push -q origin main; cd ..\n"
        "echo 2 > values/a; git commit -qam two");
    const PublishOutcome outcome = site.run();
    CHECK(outcome.end == End::Failed);
    CHECK(outcome.faults == "G254: `main` and `origin/main` have diverged\n");
    CHECK(site.lock() == "none");
    return;
  }
  SECTION("a state that nobody wrote") {
    site.scratch.shell("mkdir -p .git/capwright; echo '{\"version\": 2}' > .git/capwright/state.json");
    const PublishOutcome outcome = site.run();
    CHECK(outcome.end == End::Failed);
    CHECK(outcome.faults ==
          "G255: can't parse `" + site.scratch.path() + "/.git/capwright/state.json`: its version is 2, not 1\n");
    site.options.restart = true;
    CHECK(site.run().end == End::Done);
    return;
  }
  CHECK(site.there("main") == before);
  CHECK(site.lock() == "none");
  CHECK(site.rows.empty());
}

TEST_CASE("uncommitted changes may be committed first") {
  Site site;
  site.scratch.shell("echo 2 > values/a; echo 3 > values/b");
  site.options.confirm_commit = true;
  site.someone_is_there = false;
  CHECK(site.run().said.ends_with("`--confirm-commit` can't ask here, so nothing was committed\n"));
  site.someone_is_there = true;
  site.answer = false;
  CHECK(site.run().end == End::Stopped);
  site.answer = true;
  const PublishOutcome outcome = site.run();
  CHECK(outcome.faults == "");
  CHECK(site.published("clusters/b/out") == "3");
  CHECK(site.scratch.word("git status --porcelain") == "");
  CHECK(site.scratch.word("git log -1 --format=%s") == "Save changes before publishing");
}

TEST_CASE("a dry run changes nothing") {
  Site site;
  site.options.choice.dry_run = true;
  const PublishOutcome outcome = site.run();
  CHECK(outcome.end == End::Done);
  CHECK(outcome.said ==
        "preflight: main of URL by Team <fleet@example.com>\nrender: 1 cluster of ID into 1 changed file\na diff\n");
  CHECK(site.scratch.word("git -C server/fleet.git rev-list --count main; test -e .git/capwright || echo none") ==
        "1\nnone");
}

TEST_CASE("single steps") {
  Site site;
  site.options.choice.only = Step::Push;
  CHECK(site.run().faults == "G256: no commit is ready to push to `main`\n");
  site.options.choice.only = Step::Commit;
  CHECK(site.run().end == End::Done);
  CHECK(site.published("clusters/a/out") == "none");
  CHECK(site.lock() == "none");
  site.options.choice = {std::nullopt, Step::Push};
  const PublishOutcome outcome = site.run();
  CHECK(outcome.faults == "");
  CHECK(site.published("clusters/a/out") == "1");
  CHECK(site.rows.size() == 1);
}

TEST_CASE("commit and push as two commands, repeatedly") {
  Site site;
  const auto step = [&](publish::Choice choice) {
    site.options.choice = choice;
    return site.run();
  };
  for (const char* text : {"1", "2", "3"}) {
    if (*text != '1') site.change(text);
    CHECK(step({Step::Commit, std::nullopt}).said.find("commit: made ID\n") != std::string::npos);
    CHECK(step({Step::Push, std::nullopt})
              .said.ends_with("push: main is at ID; `git pull --ff-only origin main` updates this clone\n"));
    CHECK(site.published("clusters/a/out") == text);
    const PublishOutcome again = step({Step::Push, std::nullopt});
    CHECK(again.said.ends_with("push: nothing to do: main is at ID\n"));
    CHECK(again.end == End::Done);
  }
  site.change("4");
  CHECK(step({Step::Push, std::nullopt}).faults == "G256: no commit is ready to push to `main`\n");
  CHECK(step({Step::Commit, std::nullopt}).end == End::Done);
  CHECK(step({Step::Push, std::nullopt}).end == End::Done);
  CHECK(step({std::nullopt, Step::Audit}).end == End::Done);
  CHECK(site.rows.count(site.there("main")) == 1);
}

TEST_CASE("a single step doesn't commit files with lint errors") {
  Site site;
  site.linted = Verdict::Findings;
  site.options.choice.only = Step::Commit;
  CHECK(site.run().end == End::Stopped);
  site.options.choice = {std::nullopt, Step::Push};
  CHECK(site.run().end == End::Failed);
  CHECK(site.published("clusters/a/out") == "none");
}

TEST_CASE("a commit that differs from the render is recreated") {
  Site site;
  site.options.choice.only = Step::Commit;
  CHECK(site.run().end == End::Done);
  const std::string made = site.scratch.word("git rev-parse refs/capwright/made/main/@");
  const std::string foreign = site.scratch.word("git commit-tree -m foreign 'HEAD^{tree}'");
  site.scratch.shell("sed -i s/" + made + "/" + foreign + "/ .git/capwright/state.json");
  site.options.choice.only = Step::Push;
  CHECK(site.run().faults == "G256: no commit is ready to push to `main`\n");
  site.options.choice = {};
  const PublishOutcome outcome = site.run();
  CHECK(outcome.said.find("that commit differs from the current render; starting over\n") != std::string::npos);
  CHECK(outcome.end == End::Done);
  CHECK(site.published("clusters/a/out") == "1");
  CHECK(site.scratch.word("git -C server/fleet.git merge-base --is-ancestor " +
                          site.scratch.word("git rev-parse HEAD") + " main && echo yes") == "yes");
}

TEST_CASE("locks that a killed Git has left are reported or skipped") {
  Site site;
  site.scratch.shell("touch server/fleet.git/refs/heads/main.lock");
  const PublishOutcome outcome = site.run();
  const auto fault_of = [&](const std::string& ref) {
    return "G220: `" + ref + "` is locked by another process\nnote: `" + site.scratch.path() + "/server/fleet.git/" +
           ref + ".lock` exists; Git creates it while it changes the ref, and a killed Git leaves it\n";
  };
  CHECK(outcome.faults == fault_of("refs/heads/main"));
  site.scratch.shell("rm server/fleet.git/refs/heads/main.lock; mkdir -p .git/refs/capwright/pushed");
  site.scratch.shell("git push -q origin main:refs/capwright/pushed/of-a-killed-run");
  site.scratch.shell("touch .git/refs/capwright/pushed/$(git rev-parse refs/capwright/made/main/@)-0.lock");
  CHECK(site.run().faults == "");
  CHECK(site.published("clusters/a/out") == "1");
  CHECK(site.scratch.word("git -C server/fleet.git for-each-ref refs/capwright/pushed") == "");
  site.scratch.shell(
      "mkdir -p server/fleet.git/refs/capwright/lock; touch server/fleet.git/refs/capwright/lock/main.lock");
  site.settings.wait_seconds = 6;
  const PublishOutcome waited = site.run();
  CHECK(waited.end == End::Failed);
  CHECK(waited.faults == fault_of("refs/capwright/lock/main"));
  CHECK(waited.said.ends_with("lock: waiting up to 6 seconds for a Git process that writes to the lock there\n"));
  site.scratch.shell("rm server/fleet.git/refs/capwright/lock/main.lock");
  CHECK(site.run().end == End::Done);
}

TEST_CASE("a shallow clone is reported") {
  // libgit2 1.5 leaks its walk when it reaches a commit that isn't in the repository.
  [[maybe_unused]] const test::UncountedLeaks leaks;
  Site site;
  site.change("2");
  site.scratch.shell(
      "git push -q origin main; git clone -q --depth 1 " + site.url +
      " server/shallow && cd server/shallow && git config user.name Bo && git config user.email b@example.com");
  const auto faults = [&site] { return site.run({}, "/server/shallow").faults; };
  CHECK(faults().starts_with("G264: the clone is shallow: it lacks commits that a push to `URL` needs\n"));
  site.scratch.shell("cd server/shallow && git commit -q --allow-empty -m more");
  site.settings.remote_lock = false;
  CHECK(faults().starts_with("G264: "));
  site.scratch.shell("cd server/shallow && git fetch -q --unshallow");
  CHECK(faults() == "");
  CHECK(site.published("clusters/a/out") == "2");
}

TEST_CASE("hooks of a remote that is a directory are reported as skipped") {
  Site site;
  site.scratch.shell(
      "cd server/fleet.git/hooks && for hook in update post-receive pre-push; do echo 'exit 1' > $hook; done && chmod "
      "+x "
      "update pre-push");
  const std::string skipped =
      "preflight: the remote is a folder, and its hook update is not run; with `--run-hooks`, the program `git` "
      "pushes and runs it\n";
  CHECK(site.run().said.find(skipped) != std::string::npos);
  site.scratch.shell("git -C server/fleet.git config core.hooksPath ../hooks && mkdir server/hooks");
  CHECK(site.run().said.find("the remote is a folder") == std::string::npos);
  site.scratch.shell(
      "cp server/fleet.git/hooks/update server/hooks/pre-receive; cp server/fleet.git/hooks/update server/hooks");
  CHECK(site.run().said.find("its hooks pre-receive, update are not run") != std::string::npos);
}

TEST_CASE("branches with nested names") {
  Site site;
  site.scratch.shell("git checkout -q -b feat");
  CHECK(site.run().end == End::Done);
  site.scratch.shell("git checkout -q main; git branch -qD feat; git push -q origin :feat; git checkout -q -b feat/x");
  CHECK(site.run().faults == "");
}

TEST_CASE("a publisher holds a lock with its description") {
  Site site;
  site.scratch.shell(
      "git clone -q server/fleet.git other && cd other && git config user.name Bo && git config user.email "
      "b@example.com");
  Life life{Life::Fault::DiesBefore, 0, 0, false};
  // A run in the other clone that ends between lock and push.
  for (life.at = 10; site.lock() == "none" || site.published("clusters/a/out") != "none"; ++life.at) {
    REQUIRE(life.at < 200);
    site.run(life, "/other");
  }
  const std::string lock = site.lock();
  CHECK(site.scratch.word("git -C server/fleet.git log -1 --format=%s refs/capwright/lock/main") ==
        "capwright publishes main");
  const PublishOutcome refused = site.run();
  CHECK(refused.end == End::Failed);
  CHECK(refused.faults ==
        "G252: `main` is being published by Bo <b@example.com> on build-7 since 2023-11-14 22:13:20 UTC\n");
  CHECK(site.lock() == lock);
  SECTION("waiting for it") {
    site.options.wait_seconds = 30;
    const PublishOutcome waited = site.run();
    CHECK(waited.end == End::Failed);
    CHECK(waited.said.ends_with(
        "lock: waiting up to 30 seconds for Bo <b@example.com> on build-7 since 2023-11-14 22:13:20 UTC\n"));
    CHECK(site.clock.now == 1'700'000'030);
    site.options.wait_seconds = 3600;
    CHECK(site.run().end == End::Done);  // its lock had expired in the meantime
  }
  SECTION("breaking it") {
    site.options.break_lock = true;
    const PublishOutcome broken = site.run();
    CHECK(broken.end == End::Done);
    CHECK(broken.said.find("lock: took the lock of Bo <b@example.com>") != std::string::npos);
  }
  SECTION("after its time") {
    site.clock.now += 3600;
    CHECK(site.run().end == End::Done);
  }
  SECTION("in the clone that it is of") { CHECK(site.run({}, "/other").end == End::Done); }
  CHECK(site.lock() == "none");
  CHECK(site.published("clusters/a/out") == "1");
}

// Repeats a run with one error at each call in turn. The result is the old commit or a complete new one, and the next
// run succeeds.
void run_with_faults(Life::Fault fault, const std::function<void(Site&)>& prepare) {
  Site site;
  prepare(site);
  site.run();
  for (int at = 0;; ++at) {
    site.change(fmt::format("{}", at + 2));
    const std::string source = site.scratch.word("git rev-parse HEAD"), before = site.there("main");
    const std::size_t rows = site.rows.size();
    site.clock.now += 10;
    const PublishOutcome broken = site.run({fault, at, 0, false});
    INFO("call " << at << "\n" << broken.said << broken.faults);
    const std::string between = site.there("main");
    const bool is_old = between == before;
    if (!is_old) {
      CHECK(site.scratch.word("git -C server/fleet.git rev-parse main^") == source);
      CHECK(site.published("clusters/a/out") == fmt::format("{}", at + 2));
    }
    if (broken.end != End::Done) CHECK(broken.faults != "");
    site.clock.now += 10;
    const PublishOutcome next = site.run();
    INFO(next.said << next.faults);
    CHECK(next.end == End::Done);
    CHECK(site.published("clusters/a/out") == fmt::format("{}", at + 2));
    CHECK(site.scratch.word("git -C server/fleet.git rev-parse main^") == source);
    if (!is_old) CHECK(site.there("main") == between);
    CHECK(site.lock() == "none");
    CHECK(site.rows.size() == rows + 1);
    CHECK(site.rows.contains(site.there("main")));
    if (!broken.life.was_reached()) {
      CHECK(at > 30);
      break;
    }
  }
  site.scratch.shell("git -C server/fleet.git fsck --strict --no-dangling && git fsck --strict --no-dangling");
}

TEST_CASE("a run that is killed before any of its calls is finished by the next") {
  run_with_faults(Life::Fault::DiesBefore, [](Site&) {});
}
TEST_CASE("a run that is killed after any of its calls is finished by the next") {
  run_with_faults(Life::Fault::DiesAfter, [](Site&) {});
}
TEST_CASE("a run in which any call fails is finished by the next") {
  run_with_faults(Life::Fault::Fails, [](Site&) {});
}

TEST_CASE("points of time") {
  CHECK(publish::time_text(0) == "1970-01-01 00:00:00 UTC");
  CHECK(publish::time_text(951'782'399) == "2000-02-28 23:59:59 UTC");
  CHECK(publish::time_text(4'107'542'400) == "2100-03-01 00:00:00 UTC");
}

}  // namespace
}  // namespace capwright
