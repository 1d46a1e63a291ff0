// Commits made from paths and bytes: the same objects as those of the real `git`, without fsck errors; index, working
// tree and branches change only as expected.
#include <fmt/format.h>
#include <thread>

#include "git/repository.h"
#include "scratch_repository.h"

namespace capwright {
namespace {

using git::CommitRequest;
using git::FileChange;
using git::ObjectId;
using git::Repository;
using test::ScratchRepository;

const git::Signature kAda{{"Team", "fleet@example.com"}, 1700000000, 60};

std::string codes_of(const Sink& sink) {
  std::string codes;
  for (const Diagnostic& fault : sink.diagnostics()) codes += fmt::format("{}: {}\n", fault.info->code, fault.message);
  return codes;
}

struct Target {
  Sink sink;
  std::unique_ptr<Repository> repository;
  std::optional<ObjectId> head;

  explicit Target(const ScratchRepository& scratch) : repository(git::open_repository(scratch.path(), sink)) {
    REQUIRE(repository != nullptr);
    head = repository->head(sink)->commit;
  }
  std::optional<ObjectId> commit(std::vector<FileChange> changes, git::Signer sign = {}) {
    return repository->make_commit({head, std::move(changes), "message\n", kAda, kAda, std::move(sign)}, sink);
  }
};

constexpr const char* kFirst =
    "mkdir -p lib lib.d clusters/old clusters/kept 'eu west/ü'; echo 1 > lib/one; echo 1 > lib.d/one; echo 1 > lib-1\n"
    "echo 1 > clusters/old/a; echo 1 > clusters/old/b; echo 1 > clusters/kept/a; echo 1 > 'eu west/ü/a'; ln -s lib "
    "link\n"
    "echo run > run; chmod +x run; git add -A; git commit -qm first\n";

TEST_CASE("a commit has the same tree and name as in git") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  Target target(scratch);
  const auto made = target.commit({{"lib/one", "2\n"},
                                   {"lib/new/deep/file", "new\n"},
                                   {"lib.e", "between\n"},
                                   {"clusters/old", std::nullopt},
                                   {"clusters/kept/a", std::nullopt},
                                   {"clusters/new/ä ö", "umlaut\n"},
                                   {"missing/file", std::nullopt},
                                   {"eu west/ü/a", "1\n"},
                                   {"run", "run\n", true},
                                   {"tool", "tool\n", true}});
  CHECK(codes_of(target.sink) == "");
  REQUIRE(made);
  CHECK(scratch.word("git status --porcelain") == "");
  CHECK(scratch.word("git rev-parse HEAD") == hex(*target.head));

  const std::string ours = hex(*made);
  scratch.shell("git fsck --strict --no-dangling");
  CHECK(scratch.word("git log -1 --format='%an <%ae> %ad %cn %s' --date=raw " + ours) ==
        "Team <fleet@example.com> 1700000000 +0100 Team message");
  scratch.shell(
      "echo 2 > lib/one; mkdir -p lib/new/deep clusters/new; echo new > lib/new/deep/file; echo between > lib.e\n"
      "rm -r clusters/old clusters/kept; echo umlaut > 'clusters/new/ä ö'; echo tool > tool; chmod +x tool\n"
      "git add -A; git commit -qm message");
  CHECK(scratch.word("git rev-parse HEAD") == ours);
}

TEST_CASE("without changes there is no commit, and everything may be deleted") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  Target target(scratch);
  CHECK(target.commit({{"lib/one", "1\n"}, {"not/there", std::nullopt}}) == target.head);
  const auto emptied = target.commit({{"lib", std::nullopt},
                                      {"lib.d", std::nullopt},
                                      {"lib-1", std::nullopt},
                                      {"clusters", std::nullopt},
                                      {"eu west", std::nullopt},
                                      {"link", std::nullopt},
                                      {"run", std::nullopt}});
  REQUIRE(emptied);
  CHECK(scratch.word("git rev-parse " + hex(*emptied) + "^{tree}") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  scratch.shell("git fsck --strict --no-dangling");
  CHECK(codes_of(target.sink) == "");
}

TEST_CASE("a first commit has no parent") {
  const ScratchRepository scratch;
  Target target(scratch);
  CHECK_FALSE(target.head);
  const auto made = target.commit({{"a/b", "x"}});
  REQUIRE(made);
  REQUIRE(target.repository->move_ref({"refs/heads/main", std::nullopt, *made, "first"}, target.sink));
  CHECK(scratch.shell("git log --format='%P%s' && git show HEAD:a/b") == "message\nx");
}

TEST_CASE("invalid paths for a commit are rejected") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  Target target(scratch);
  const auto refusal = [&](std::vector<FileChange> changes) {
    target.sink = {};
    CHECK_FALSE(target.commit(std::move(changes)));
    return codes_of(target.sink);
  };
  CHECK(refusal({{"", "x"}}) == "G224: can't commit ``: a part of it is empty\n");
  CHECK(refusal({{"/a", "x"}}) == "G224: can't commit `/a`: a part of it is empty\n");
  CHECK(refusal({{"a/", "x"}}) == "G224: can't commit `a/`: a part of it is empty\n");
  CHECK(refusal({{"a/../b", "x"}}) == "G224: can't commit `a/../b`: it contains `.` or `..`\n");
  CHECK(refusal({{"a/.GIT/hooks/x", "x"}}) == "G224: can't commit `a/.GIT/hooks/x`: `.git` is reserved for Git\n");
  CHECK(refusal({{"a", "x"}, {"a", "y"}}) == "G224: can't commit `a`: it is listed twice\n");
  CHECK(refusal({{"a", "x"}, {"a/b", "y"}}) == "G224: can't commit `a`: other paths need a folder there\n");
  CHECK(refusal({{"lib", "x"}}) == "G224: can't commit `lib`: a folder exists there\n");
  CHECK(refusal({{"run/x", "x"}}) == "G224: can't commit `run`: a file exists there, but other paths need a folder\n");
  CHECK(target.commit({{"run", std::nullopt}, {"run/x", "x"}}));
  scratch.shell("git fsck --strict --no-dangling");
}

TEST_CASE("thousands of files become one pack") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  Target target(scratch);
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) texts.push_back(fmt::format("name: cluster-{}\n{}\n", i, std::string(i % 2000, 'x')));
  std::vector<FileChange> changes;
  for (std::size_t i = 0; i < texts.size(); ++i)
    changes.push_back({fmt::format("clusters/{}/{}", i / 10, i), texts[i]});
  const auto made = target.commit(changes);
  CHECK(codes_of(target.sink) == "");
  REQUIRE(made);
  CHECK(scratch.word("ls .git/objects/pack/*.pack | wc -l") == "1");
  REQUIRE(target.repository->move_ref({"refs/heads/main", target.head, *made, "many"}, target.sink));
  scratch.shell("git fsck --strict && git checkout -qf main && test -z \"$(git status --porcelain)\"");
  CHECK(scratch.word("cat clusters/277/2777") + "\n" == texts[2777]);
  // The same commit again writes nothing.
  target.head = made;
  CHECK(target.commit(changes) == made);
  CHECK(scratch.word("ls .git/objects/pack/*.pack | wc -l") == "1");
}

TEST_CASE("a branch moves only from its expected commit") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  Target target(scratch);
  const auto made = target.commit({{"new", "x"}});
  REQUIRE(made);
  const auto move = [&](const std::string& ref, std::optional<ObjectId> expected) {
    target.sink = {};
    return target.repository->move_ref({ref, expected, *made, "test"}, target.sink);
  };
  SECTION("somebody else was faster") {
    scratch.shell("git commit -q --allow-empty -m other");
    const std::string other = scratch.word("git rev-parse HEAD");
    CHECK_FALSE(move("refs/heads/main", target.head));
    CHECK(codes_of(target.sink) == fmt::format("G221: `refs/heads/main` is at {}, no longer at {}\n",
                                               other.substr(0, 10), short_hex(*target.head)));
    CHECK_FALSE(move("refs/heads/main", std::nullopt));
    CHECK(scratch.word("git rev-parse HEAD") == other);
  }
  SECTION("the branch was deleted") {
    CHECK_FALSE(move("refs/heads/gone", target.head));
    CHECK(codes_of(target.sink).starts_with("G221: `refs/heads/gone` is at no commit, no longer at "));
  }
  SECTION("packed refs, and the reflog") {
    scratch.shell("git pack-refs --all");
    CHECK(move("refs/heads/main", target.head));
    CHECK(scratch.word("git rev-parse main") == hex(*made));
    CHECK(scratch.word("git reflog show main --format=%gs -1") == "test");
  }
  SECTION("a lock is held") {
    scratch.shell(": > .git/refs/heads/main.lock");
    CHECK_FALSE(move("refs/heads/main", target.head));
    CHECK(codes_of(target.sink) == "G220: `refs/heads/main` is locked by another process\n");
    CHECK(target.sink.diagnostics()[0].help->ends_with("/.git/refs/heads/main.lock`"));
    scratch.shell("rm .git/refs/heads/main.lock");
    CHECK(move("refs/heads/main", target.head));
  }
  SECTION("a lock on a ref of capwright's own was left by a process that is dead") {
    CHECK(move("refs/capwright/kept", std::nullopt));
    scratch.shell(": > .git/refs/capwright/kept.lock");
    CHECK(target.repository->move_ref({"refs/capwright/kept", made, *target.head, "test"}, target.sink));
    CHECK(scratch.word("git rev-parse refs/capwright/kept") == hex(*target.head));
    CHECK(scratch.word("ls .git/refs/capwright") == "kept");
  }
  SECTION("the index's lock is nothing to us") {
    scratch.shell(": > .git/index.lock");
    CHECK(move("refs/heads/main", target.head));
    CHECK(target.repository->changes_on_disk(*target.head, target.sink)->empty());
    scratch.shell("rm .git/index.lock; git fsck --strict");
  }
  SECTION("not every text is a name") {
    CHECK_FALSE(move("refs/heads/a b", std::nullopt));
    CHECK(codes_of(target.sink) == "G225: `refs/heads/a b` can't be the name of a branch\n");
  }
}

TEST_CASE("if two processes move a branch at once, one wins", "[threads]") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  std::vector<int> won(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < won.size(); ++t) {
    threads.emplace_back([&, t] {
      Sink sink;
      const auto repository = git::open_repository(scratch.path(), sink);
      const auto head = repository->head(sink)->commit;
      const std::string text = fmt::format("{}", t);
      const auto made = repository->make_commit({head, {{"by", text}}, "m\n", kAda, kAda, {}}, sink);
      won[t] = made && repository->move_ref({"refs/heads/main", head, *made, "race"}, sink) ? 1 : 0;
      if (won[t] == 0 && !sink.failed()) won[t] = 100;
    });
  }
  for (std::thread& thread : threads) thread.join();
  const int commits = std::stoi(scratch.word("git rev-list --count main")) - 1;
  CHECK(won[0] + won[1] + won[2] + won[3] == commits);
  CHECK(commits >= 1);
  scratch.shell("git fsck --strict");
}

TEST_CASE("an unwritable repository is reported, and nothing moves") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  Target target(scratch);
  // A file where the directory of new objects would be: even root can't write there.
  scratch.shell(
      "mv .git/objects .git/kept && git init -q --bare other && rm -rf .git/objects && cp -r .git/kept .git/objects\n"
      "for i in $(seq 0 255); do d=.git/objects/$(printf %02x $i); [ -d $d ] || : > $d; done");
  std::vector<FileChange> changes;
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back(fmt::format("file-{}", i));
  for (const std::string& name : names) changes.push_back({name, name});
  CHECK_FALSE(target.commit(changes));
  CHECK(codes_of(target.sink).starts_with("G222: can't write the commit: "));
}

TEST_CASE("a commit's message ends with its trailers") {
  CHECK(git::commit_message("Render the fleet\n", "", {{"Source", "abc\ndef"}, {"Tool", "x"}}) ==
        "Render the fleet\n\nSource: abc def\nTool: x\n");
  CHECK(git::commit_message("s", "\nbody\nmore\n\n", {}) == "s\n\nbody\nmore\n");
  const ScratchRepository scratch;
  scratch.shell("cat > m <<'END'\n" + git::commit_message("s", "why", {{"Clusters", "a, b"}}) + "END\n");
  CHECK(scratch.word("git interpret-trailers --parse m") == "Clusters: a, b");
}

TEST_CASE("ssh signs a commit, and git verifies it") {
  const ScratchRepository scratch;
  scratch.shell(kFirst);
  scratch.shell(
      "ssh-keygen -q -t ed25519 -N '' -f key && printf 'fleet@example.com %s\\n' \"$(cat key.pub)\" > allowed\n"
      "git config gpg.format ssh && git config user.signingkey \"$PWD/key\" && git config commit.gpgsign true\n"
      "git config gpg.ssh.allowedSignersFile \"$PWD/allowed\"");
  Target target(scratch);
  RealPrograms programs;
  const auto signer = [&] { return configured_signer(*target.repository, programs, kAda.who, target.sink); };
  CHECK(signs_commits(*target.repository));
  const auto made = target.commit({{"new", "x"}}, signer());
  CHECK(codes_of(target.sink) == "");
  REQUIRE(made);
  CHECK(scratch.word("git verify-commit " + hex(*made) + " 2>&1")
            .starts_with("Good \"git\" signature for fleet@example.com"));
  scratch.shell("git fsck --strict --no-dangling");

  scratch.shell("git config user.signingkey \"$PWD/none\"");
  Target without(scratch);
  CHECK_FALSE(without.commit({{"new", "y"}}, configured_signer(*without.repository, programs, kAda.who, without.sink)));
  CHECK(codes_of(without.sink) == "G223: can't sign the commit: `ssh-keygen` ended with exit code 255\n");
  CHECK(scratch.word("git rev-parse main") == hex(*target.head));
}

}  // namespace
}  // namespace capwright
