// Pushes and fetches with real remotes: a folder, and HTTP by `git http-backend` with a password and hooks.
#include <csignal>
#include <fmt/format.h>

#include "git/repository.h"
#include "scratch_repository.h"

namespace capwright {
namespace {

using git::ObjectId;
using git::PushResult;
using git::RemoteAccess;
using git::Repository;
using test::ScratchRepository;

const std::string kHttps = "https://";
const git::Signature kRemoteAuthor{{"Team", "fleet@example.com"}, 1700000000, 60};

// A repository with a commit on main, and `server/fleet.git`, its bare clone.
struct Fleet {
  ScratchRepository scratch;
  Sink sink;
  std::unique_ptr<Repository> repository;
  RealPrograms programs;
  RemoteAccess access;
  std::optional<ObjectId> head;

  Fleet() {
    scratch.shell(
        "echo 1 > file; git add file; git commit -qm first; mkdir server; git clone -q --bare . server/fleet.git\n"
        "git -C server/fleet.git config http.receivepack true; git remote add origin \"file://$PWD/server/fleet.git\"");
    open();
  }
  void open() {
    repository = git::open_repository(scratch.path(), sink);
    REQUIRE(repository != nullptr);
    head = repository->head(sink)->commit;
    access.programs = &programs;
  }
  ObjectId commit(const std::string& text) {
    const auto made =
        repository->make_commit({head, {{"file", text}}, text + "\n", kRemoteAuthor, kRemoteAuthor, {}}, sink);
    REQUIRE(made);
    return *made;
  }
  PushResult push(std::optional<ObjectId> expected, std::optional<ObjectId> target,
                  std::string ref = "refs/heads/main") {
    sink = {};
    return repository->push({"origin", std::move(ref), expected, target}, access, sink);
  }
  std::string there(const std::string& ref) {
    return scratch.word("git -C server/fleet.git rev-parse -q --verify " + ref + " || echo none");
  }
  // Codes and messages; the remote's URL is replaced by URL.
  std::string faults() {
    std::string text;
    const auto url = git::shown_url(*repository->remote_url("origin", sink));
    for (const Diagnostic& fault : sink.diagnostics()) {
      text += fmt::format("{}: {}\n", fault.info->code, fault.message);
      for (const std::string& note : fault.notes) text += "note: " + note + "\n";
    }
    for (std::size_t at = 0; (at = text.find(url, at)) != std::string::npos;) text.replace(at, url.size(), "URL");
    return text;
  }
};

// Serves a fleet's `server` folder.
class HttpServer {
 public:
  HttpServer(Fleet& fleet, const std::string& login, const std::string& user = "") {
    const ScratchRepository& scratch = fleet.scratch;
    pid_ = std::stoi(scratch.word(fmt::format(
        "python3 '{}/support/git_http_server.py' \"$PWD/server\" {} > port 2> server.log < /dev/null & echo $!\n"
        "for i in $(seq 300); do test -s port && break; sleep 0.1; done; test -s port",
        CAPWRIGHT_TESTS, login)));
    port_ = scratch.word("cat port");
    direct(fleet, user, "fleet.git");
  }
  ~HttpServer() { ::kill(pid_, SIGKILL); }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  // Sets the URL of the fleet's `origin`.
  void direct(Fleet& fleet, const std::string& user, const std::string& path) const {
    fleet.scratch.shell(fmt::format("git remote set-url origin http://{}127.0.0.1:{}/{}", user, port_, path));
    fleet.open();
  }

 private:
  int pid_;
  std::string port_;
};

TEST_CASE("the path of a remote starts at the top of the working tree") {
  Fleet fleet;
  fleet.scratch.shell("git remote set-url origin server/fleet.git && git ls-remote -q origin > refs");
  fleet.open();
  const ObjectId made = fleet.commit("two");
  CHECK(fleet.push(fleet.head, made) == PushResult::Done);
  CHECK(fleet.there("refs/heads/main") == hex(made));
}

TEST_CASE("a push changes a ref only from its expected value") {
  Fleet fleet;
  const ObjectId made = fleet.commit("2");
  CHECK(fleet.push(fleet.head, made) == PushResult::Done);
  CHECK(fleet.faults() == "");
  CHECK(fleet.there("main") == hex(made));
  CHECK(fleet.scratch.word("git rev-parse origin/main") == hex(made));
  fleet.scratch.shell("git -C server/fleet.git fsck --strict");

  CHECK(fleet.push(fleet.head, fleet.commit("3")) == PushResult::Moved);
  CHECK(fleet.faults() ==
        fmt::format("G234: `refs/heads/main` of `URL` is at {}, not at {}\n", short_hex(made), short_hex(*fleet.head)));
  CHECK(fleet.push(std::nullopt, made) == PushResult::Moved);
  CHECK(fleet.push(made, made) == PushResult::Done);
  CHECK(fleet.there("main") == hex(made));

  SECTION("refs come and go") {
    CHECK(fleet.push(std::nullopt, made, "refs/capwright/lock") == PushResult::Done);
    CHECK(fleet.there("refs/capwright/lock") == hex(made));
    CHECK(fleet.push(std::nullopt, made, "refs/capwright/lock") == PushResult::Moved);
    CHECK(fleet.push(made, std::nullopt, "refs/capwright/lock") == PushResult::Done);
    CHECK(fleet.there("refs/capwright/lock") == "none");
    CHECK(fleet.push(made, std::nullopt, "refs/capwright/lock") == PushResult::Moved);
    CHECK(fleet.faults().ends_with("is at no commit, not at " + short_hex(made) + "\n"));
  }
  SECTION("the ref may go back where it is expected to be") {
    CHECK(fleet.push(made, fleet.head) == PushResult::Done);
    CHECK(fleet.there("main") == hex(*fleet.head));
  }
}

TEST_CASE("other users' commits are fetched, and not overwritten") {
  Fleet fleet;
  fleet.scratch.shell(
      "git clone -q server/fleet.git other && cd other && git config user.name Bo && git config user.email "
      "bo@example.com && git commit -q --allow-empty -m other && git push -q origin main");
  const std::string other = fleet.there("main");
  CHECK(fleet.push(fleet.head, fleet.commit("2")) == PushResult::Moved);
  CHECK(fleet.there("main") == other);
  const auto fetched =
      fleet.repository->fetch({"origin", "main", "refs/remotes/origin/main"}, fleet.access, fleet.sink);
  REQUIRE(fetched);
  CHECK(hex(*fetched) == other);
  fleet.head = fetched;
  CHECK(fleet.push(fetched, fleet.commit("3")) == PushResult::Done);
  fleet.scratch.shell("git -C server/fleet.git fsck --strict");

  fleet.sink = {};
  CHECK_FALSE(fleet.repository->fetch({"origin", "absent", "refs/remotes/origin/absent"}, fleet.access, fleet.sink));
  CHECK(fleet.faults() == "G204: unknown revision `absent`\nnote: `URL` has no such branch\n");
}

TEST_CASE("missing remotes") {
  Fleet fleet;
  const auto faults_of = [&](const std::string& url) {
    fleet.scratch.shell("git remote set-url origin '" + url + "'");
    fleet.open();
    CHECK(fleet.push(fleet.head, fleet.head) == PushResult::Failed);
    return fleet.faults();
  };
  CHECK(faults_of("/nowhere/fleet.git") == "G232: repository `URL` doesn't exist or isn't visible\n");
  CHECK(faults_of("file:///nowhere/fleet.git") == "G232: repository `URL` doesn't exist or isn't visible\n");
  CHECK(faults_of("http://git.invalid/fleet.git") == "G230: can't reach `URL`: its host name can't be resolved\n");
  CHECK(faults_of("http://localhost:1/fleet.git") == "G230: can't reach `URL`: the connection was refused\n");
  CHECK(faults_of("ssh://git@127.0.0.1:1/fleet.git") == "G230: can't reach `URL`: the connection was refused\n");
  CHECK(faults_of("gopher://git.example.com/fleet.git") == "G237: `URL` isn't the URL of a Git repository\n");
  CHECK(fleet.repository->push({"upstream", "refs/heads/main", {}, {}}, fleet.access, fleet.sink) ==
        PushResult::Failed);
  CHECK(fleet.sink.diagnostics().back().info->code == "G209");
}

TEST_CASE("a push over HTTP") {
  Fleet fleet;
  const HttpServer server(fleet, "ada:top-secret");
  const ObjectId made = fleet.commit("2");
  const auto requests = [&](const char* part) {
    return fleet.scratch.word(fmt::format("grep -c '{}' server/requests.log || true", part));
  };
  SECTION("with the right password") {
    fleet.access.login = git::Login{"ada", "top-secret"};
    CHECK(fleet.push(fleet.head, made) == PushResult::Done);
    CHECK(fleet.faults() == "");
    CHECK(fleet.there("main") == hex(made));
    CHECK(fleet.push(fleet.head, fleet.head) == PushResult::Moved);
    const auto refs = fleet.repository->remote_refs("origin", fleet.access, fleet.sink);
    REQUIRE(refs);
    CHECK(refs->at("refs/heads/main") == made);
    fleet.scratch.shell("git -C server/fleet.git fsck --strict");
  }
  SECTION("with a wrong password, which is tried once") {
    fleet.access.login = git::Login{"ada", "wrong-guess"};
    CHECK(fleet.push(fleet.head, made) == PushResult::Failed);
    CHECK(fleet.faults() == "G231: authentication failed for `URL`: the host refused the credentials\n");
    CHECK(requests(" 401") == "2");
  }
  SECTION("with what Git is configured to ask") {
    fleet.scratch.shell(
        "git config credential.hel"
        "per '!f() { echo \"$1\" >> asked; echo username=ada; echo password=top-secret; }; "
        "f'");
    CHECK(fleet.push(fleet.head, made) == PushResult::Done);
    CHECK(fleet.scratch.shell("cat .git/asked") == "get\nstore\n");
  }
  SECTION("with a wrong one of those, which Git is told to forget") {
    fleet.scratch.shell(
        "git config credential.hel"
        "per '!f() { echo \"$1\" >> asked; echo username=ada; echo password=x; }; f'");
    CHECK(fleet.push(fleet.head, made) == PushResult::Failed);
    CHECK(fleet.faults() == "G231: authentication failed for `URL`: the host refused the credentials\n");
    CHECK(fleet.scratch.shell("cat .git/asked") == "get\nerase\n");
  }
  SECTION("without any") {
    fleet.access.programs = nullptr;
    CHECK(fleet.push(fleet.head, made) == PushResult::Failed);
    CHECK(fleet.faults() == "G231: authentication failed for `URL`: no credentials are configured\n");
  }
  SECTION("a password in the URL is used, and not shown") {
    server.direct(fleet, "ada:top-secret@", "fleet.git");
    CHECK(fleet.push(fleet.head, made) == PushResult::Done);
    fleet.access.login = git::Login{"ada", "top-secret"};
    server.direct(fleet, "ada:top-secret@", "absent.git");
    CHECK(fleet.push(fleet.head, made) == PushResult::Failed);
    CHECK(fleet.faults() == "G232: repository `URL` doesn't exist or isn't visible\n");
    CHECK(fleet.sink.diagnostics()[0].message.find("ada") == std::string::npos);
  }
  CHECK((fleet.there("main") == hex(made) || fleet.there("main") == hex(*fleet.head)));
}

TEST_CASE("a push over HTTP that a page or a missing permission answers") {
  Fleet fleet;
  const HttpServer server(fleet, "ada:top-secret");
  const ObjectId made = fleet.commit("2");
  fleet.access.login = git::Login{"ada", "top-secret"};
  server.direct(fleet, "", "page/fleet.git");
  CHECK(fleet.push(fleet.head, made) == PushResult::Failed);
  CHECK(fleet.faults().starts_with("G236: "));
  server.direct(fleet, "", "forbidden/fleet.git");
  CHECK(fleet.push(fleet.head, made) == PushResult::Failed);
  CHECK(fleet.faults() == "G231: authentication failed for `URL`: this user doesn't have permission\n");
  CHECK(fleet.there("main") == hex(*fleet.head));
}

TEST_CASE("a host that declines a push gives its reason") {
  Fleet fleet;
  const HttpServer server(fleet, "");
  const ObjectId made = fleet.commit("2");
  const auto hook = [&](const std::string& name, const std::string& script) {
    fleet.scratch.shell("cat > server/fleet.git/hooks/" + name + " <<'END'\n#!/bin/sh\n" + script +
                        "\nEND\nchmod +x server/fleet.git/hooks/" + name);
  };
  SECTION("the hook of a ref") {
    hook("update", "printf 'main is \\033[31mprotected\\033[0m\\nopen a pull request\\n' >&2; exit 1");
    CHECK(fleet.push(fleet.head, made) == PushResult::Declined);
    CHECK(fleet.faults() ==
          "G233: `URL` declined `refs/heads/main`: hook declined\n"
          "note: it says: main is [31mprotected[0m\n"
          "note: it says: open a pull request\n"
          "note: it says: error: hook declined to update refs/heads/main\n");
    CHECK(fleet.there("main") == hex(*fleet.head));
    CHECK(fleet.scratch.word("git rev-parse -q --verify origin/main || echo none") == "none");
  }
  SECTION("the hook of all refs") {
    hook("pre-receive", "exit 1");
    CHECK(fleet.push(fleet.head, made) == PushResult::Declined);
    CHECK(fleet.faults() == "G233: `URL` declined `refs/heads/main`: pre-receive hook declined\n");
  }
  SECTION("somebody is faster while the push is under way") {
    hook("pre-receive",
         "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
         "git update-ref refs/heads/main \"$(git commit-tree -m faster -p main 'main^{tree}')\"");
    fleet.scratch.shell(
        "git -C server/fleet.git config user.name Bo; git -C server/fleet.git config user.email bo@example.com");
    CHECK(fleet.push(fleet.head, made) == PushResult::Moved);
    CHECK(fleet.faults().starts_with("G234: `refs/heads/main` of `URL` is at "));
    CHECK(fleet.scratch.word("git -C server/fleet.git log -1 --format=%s main") == "faster");
  }
  fleet.scratch.shell("git -C server/fleet.git fsck --strict --no-dangling && git fsck --strict --no-dangling");
}

TEST_CASE("URLs are shown without possible secrets") {
  CHECK(git::shown_url(kHttps + "ada:secret@git.example.com/x.git") == "https://git.example.com/x.git");
  CHECK(git::shown_url(kHttps + "token@git.example.com/a@b.git") == "https://git.example.com/a@b.git");
  CHECK(git::shown_url("ssh://git:secret@git.example.com:22/x.git") == "ssh://git@git.example.com:22/x.git");
  CHECK(git::shown_url("ssh://git@git.example.com:22/x.git") == "ssh://git@git.example.com:22/x.git");
  CHECK(git::shown_url("git@git.example.com:x.git") == "git@git.example.com:x.git");
  CHECK(git::shown_url("/srv/x.git") == "/srv/x.git");
  CHECK(git::shown_url(kHttps + "ada:se/cr@et@git.example.com/x.git") == "https://git.example.com/x.git");
  CHECK(git::shown_url("HTTPS:"
                       "//token@git.example.com/x.git") ==
        "HTTPS:"
        "//git.example.com/x.git");
  CHECK(git::shown_url(kHttps + "git.example.com:8443/a@b.git") == "https://git.example.com:8443/a@b.git");
  CHECK(git::shown_url(kHttps + "git.example.com/x.git?token=secret") == "https://git.example.com/x.git");
  CHECK(git::shown_url("git:secret@git.example.com:x.git") == "git@git.example.com:x.git");
}

}  // namespace
}  // namespace capwright
