// Files of a commit as a file system: equal to `git ls-tree` and `git show`, independent of the working tree.
#include <cerrno>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

#include "git/repository.h"
#include "scratch_repository.h"
#include "source/real_fs.h"

namespace capwright {
namespace {

using git::CommitFiles;
using git::Repository;
using test::ScratchRepository;

constexpr std::uint64_t kMost = 1 << 20;

// Names with spaces and beyond ASCII, directories that Git sorts differently from byte order, links, an executable.
constexpr const char* kTree =
    "mkdir -p 'values/eu west/ü' lib.d lib 'a/b/c'\n"
    "printf x > lib.txt; printf y > lib/z; printf w > lib.d/w; printf v > lib-1\n"
    "printf 'name: prod\\n' > 'values/eu west/ü/prod ä.yaml'\n"
    "printf '#!/bin/sh\\n' > run; chmod +x run; printf deep > a/b/c/file; : > empty\n"
    "ln -s a/b link-to-folder; ln -s ../lib/z lib.d/up; ln -s nowhere dangling; ln -s loop loop\n"
    "ln -s /etc/passwd outside; ln -s ../../etc/passwd outside-too; ln -s \"$PWD/lib.txt\" absolute\n"
    "git add -A && git commit -qm tree\n";

struct Opened {
  Sink sink;
  std::unique_ptr<Repository> repository;
  std::unique_ptr<CommitFiles> files;

  Opened(const std::string& path, std::string_view revision, std::string_view folder = "") {
    repository = git::open_repository(path, sink);
    REQUIRE(repository != nullptr);
    const auto commit = repository->commit(revision, sink);
    REQUIRE(commit);
    files = repository->files(*commit, folder, sink);
    REQUIRE(files != nullptr);
    CHECK(sink.diagnostics().empty());
  }
  std::string text(PathAt path) {
    std::string bytes;
    const IoError error = files->read(path, bytes, kMost);
    return error ? "error: " + describe(error) : bytes;
  }
  int code(PathAt path) {
    std::string bytes;
    return files->read(path, bytes, kMost).code;
  }
};

// In the format of `git ls-tree -r -z`.
void list_below(CommitFiles& files, DirId top, const std::string& path, std::string& out) {
  std::vector<DirEntry> entries;
  REQUIRE_FALSE(files.list({top, path.empty() ? "." : std::string_view(path)}, entries));
  for (const DirEntry& entry : entries) {
    const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
    if (entry.type == FileType::Directory) {
      list_below(files, top, below, out);
      continue;
    }
    FileStat stat;
    git::ObjectId id;
    REQUIRE_FALSE(files.stat({top, below}, stat));
    REQUIRE_FALSE(files.object_id({top, below}, id));
    CHECK(stat.type == entry.type);
    const bool link = stat.type == FileType::Symlink, module = stat.type == FileType::Other;
    out += fmt::format("{} {} {}\t{}\n",
                       module              ? "160000"
                       : link              ? "120000"
                       : stat.mode == 0755 ? "100755"
                                           : "100644",
                       module ? "commit" : "blob", hex(id), below);
  }
}

std::string listing(CommitFiles& files) {
  Dir top;
  REQUIRE_FALSE(top.open(files, "."));
  std::string out;
  list_below(files, top.id(), "", out);
  return out;
}

TEST_CASE("a commit's files equal those of git ls-tree") {
  const ScratchRepository scratch;
  scratch.shell(kTree);
  scratch.shell(
      "git init -q sub && git -C sub -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m s "
      "&& git -c advice.addEmbeddedRepo=false add sub && git commit -qm module");
  // Git lists directories in its own order of names; ours is by bytes, directory by directory.
  const std::string expected = scratch.shell("git -c core.quotePath=false ls-tree -r HEAD | sort");
  Opened opened(scratch.path(), "HEAD");
  std::string ours = listing(*opened.files);
  scratch.shell("cat > listed <<'END'\n" + ours + "END\n");
  CHECK(scratch.shell("sort listed") == expected);

  SECTION("from any folder, also with packed objects, in a worktree and a bare clone") {
    scratch.shell("git gc -q && git worktree add -q --detach 'w t' && git clone -q --bare . bare.git");
    for (const char* place : {"", "/values/eu west", "/w t", "/bare.git"}) {
      Opened other(scratch.path() + place, "HEAD");
      CHECK(listing(*other.files) == ours);
    }
  }
  SECTION("the work tree and the index don't matter") {
    scratch.shell("git rm -qrf --cached . && rm -rf values lib a && echo new > lib.txt");
    Opened other(scratch.path(), "HEAD");
    CHECK(listing(*other.files) == ours);
    CHECK(other.text("lib.txt") == "x");
  }
  SECTION("a submodule is not looked into") {
    std::vector<DirEntry> entries;
    CHECK(opened.files->list("sub", entries).code == EREMOTE);
    CHECK(opened.code("sub") == EREMOTE);
    CHECK(opened.code("sub/x") == EREMOTE);
  }
}

TEST_CASE("paths of a commit resolve as on disk") {
  const ScratchRepository scratch;
  scratch.shell(kTree);
  Opened opened(scratch.path(), "HEAD");
  CHECK(opened.text("values/eu west/ü/prod ä.yaml") == "name: prod\n");
  CHECK(opened.text("./values//eu west/../../lib.txt") == "x");
  CHECK(opened.text(opened.repository->root() + "/lib.txt") == "x");
  CHECK(opened.text("empty") == "");
  CHECK(opened.code("lib.txt/below") == ENOTDIR);
  CHECK(opened.code("missing") == ENOENT);
  CHECK(opened.code("missing/below") == ENOENT);
  CHECK(opened.code("") == ENOENT);
  CHECK(opened.code("lib") == EISDIR);
  CHECK(opened.code("/etc/passwd") == ENOENT);
  CHECK(opened.code(opened.repository->root() + "-other/x") == ENOENT);
  CHECK(opened.code("../" + scratch.path() + "/lib.txt") == ENOENT);
  std::string bytes;
  CHECK(opened.files->read("values/eu west/ü/prod ä.yaml", bytes, 10).code == EFBIG);
  CHECK_FALSE(opened.files->read("values/eu west/ü/prod ä.yaml", bytes, 11));

  SECTION("paths start in the folder that was named, also where the commit lacks it") {
    Opened other(scratch.path(), "HEAD", "values/eu west");
    CHECK(other.text("ü/prod ä.yaml") == "name: prod\n");
    CHECK(other.text("../../lib.txt") == "x");
    CHECK(other.code("../../../lib.txt") == ENOENT);
    Opened missing(scratch.path(), "HEAD", "not/there");
    CHECK(missing.code("lib.txt") == ENOENT);
    CHECK(missing.text("../../lib.txt") == "x");
  }
  SECTION("nothing can be changed") {
    CHECK(opened.files->create("new", "x", kFileMode).code == EROFS);
    CHECK(opened.files->remove("lib.txt").code == EROFS);
    CHECK(opened.files->make_dir("new", kDirectoryMode).code == EROFS);
  }
}

TEST_CASE("links in a commit lead to files of the commit only") {
  const ScratchRepository scratch;
  scratch.shell(kTree);
  Opened opened(scratch.path(), "HEAD");
  SECTION("links are followed inside the commit from the working directory") {
    CHECK(opened.text("link-to-folder/c/file") == "deep");
    CHECK(opened.text("link-to-folder/../lib.txt") == "error: no such file or directory");
    CHECK(opened.text("link-to-folder/../../lib.txt") == "x");
    CHECK(opened.text("lib.d/up") == "y");
    CHECK(opened.text("absolute") == "x");
    CHECK(opened.code("dangling") == ENOENT);
    CHECK(opened.code("loop") == ELOOP);
    CHECK(opened.code("outside") == ENOENT);
    CHECK(opened.code("outside-too") == ENOENT);
    FileStat stat;
    CHECK_FALSE(opened.files->stat("link-to-folder", stat));
    CHECK(stat.type == FileType::Directory);
  }
  SECTION("and never below an open folder") {
    Dir top, below;
    REQUIRE_FALSE(top.open(*opened.files, "."));
    CHECK(opened.code(top / "link-to-folder/c/file") == ELOOP);
    CHECK(opened.code(top / "lib.d/up") == ELOOP);
    CHECK(opened.text(top / "lib/z") == "y");
    DirId id;
    CHECK(opened.files->open_dir(top / "link-to-folder", id).code == ELOOP);
    FileStat stat;
    CHECK_FALSE(opened.files->stat(top / "lib.d/up", stat));
    CHECK(stat.type == FileType::Symlink);
    CHECK(stat.size == 8);
    REQUIRE_FALSE(below.open(*opened.files, "a"));
    CHECK(opened.text(below / "b/c/file") == "deep");
  }
}

TEST_CASE("a missing or damaged object is a separate error") {
  const ScratchRepository scratch;
  scratch.shell("mkdir d && echo one > d/one && echo two > two && git add -A && git commit -qm x");
  const std::string one = scratch.word("git rev-parse HEAD:d/one"), two = scratch.word("git rev-parse HEAD:two");
  Opened opened(scratch.path(), "HEAD");
  scratch.shell("rm -f .git/objects/" + one.substr(0, 2) + "/" + one.substr(2));
  scratch.shell("f=.git/objects/" + two.substr(0, 2) + "/" + two.substr(2) + "; chmod u+w $f; echo damaged > $f");
  CHECK(opened.code("d/one") == ENODATA);
  CHECK(opened.code("two") == ENODATA);
  const std::string folder = scratch.word("git rev-parse HEAD:d");
  scratch.shell("rm -f .git/objects/" + folder.substr(0, 2) + "/" + folder.substr(2));
  Opened other(scratch.path(), "HEAD");
  CHECK(other.code("d/one") == ENODATA);
}

TEST_CASE("a repository of another user is not read, and the message explains how to trust it") {
  if (::geteuid() != 0) return;  // only root can change the owner of a directory
  const ScratchRepository scratch;
  scratch.shell("git commit -q --allow-empty -m one && mkdir deep && chown -R 12345:12345 .");
  Sink sink;
  CHECK(git::open_repository(scratch.path() + "/deep", sink) == nullptr);
  scratch.shell("chown -R 0:0 .");
  REQUIRE(sink.diagnostics().size() == 1);
  const Diagnostic& fault = sink.diagnostics().front();
  CHECK(fault.info->code == "G202");
  CHECK(fault.message.find(scratch.path()) != std::string::npos);
}

TEST_CASE("listing changes doesn't modify the index, also if another process has locked it") {
  const ScratchRepository scratch;
  scratch.shell("echo a > a; git add -A; git commit -qm one; touch -d '2001-01-01' a; touch .git/index.lock");
  const std::string before = scratch.word("sha256sum .git/index");
  Sink sink;
  const auto repository = git::open_repository(scratch.path(), sink);
  const auto changes = repository->changes_on_disk(*repository->head(sink)->commit, sink);
  REQUIRE(changes);
  CHECK(changes->empty());
  CHECK(sink.diagnostics().empty());
  CHECK(scratch.word("sha256sum .git/index") == before);
}

TEST_CASE("a blob's id equals that of git hash-object") {
  const ScratchRepository scratch;
  scratch.shell(kTree);
  Opened opened(scratch.path(), "HEAD");
  for (const std::string& bytes :
       {std::string(), std::string("name: prod\n"), std::string(100'000, 'x'), std::string("\0\r\n", 3)}) {
    git::ObjectId id = opened.repository->blob_id(bytes);
    ProgramRun run{"git", {"hash-object", "--stdin"}, scratch.path(), {}, bytes, 1000, 20'000};
    CHECK(RealPrograms().run(run).output == hex(id) + "\n");
    CHECK(git::parse_object_id(hex(id)) == id);
  }
  git::ObjectId id;
  CHECK_FALSE(opened.files->object_id("values/eu west/ü/prod ä.yaml", id));
  CHECK(id == opened.repository->blob_id("name: prod\n"));
  CHECK_FALSE(git::parse_object_id("x"));
  CHECK_FALSE(git::parse_object_id(std::string(40, 'g')));
}

TEST_CASE("a commit's file is compared with bytes without reading it") {
  const ScratchRepository scratch;
  scratch.shell(kTree);
  Opened opened(scratch.path(), "HEAD");
  FileSystem& files = *opened.files;
  CHECK(files.holds("values/eu west/ü/prod ä.yaml", "name: prod\n"));
  CHECK_FALSE(files.holds("values/eu west/ü/prod ä.yaml", "name: prod"));
  CHECK_FALSE(files.holds("values/eu west/ü", ""));
  CHECK_FALSE(files.holds("values/none.yaml", ""));
  // Like any file system, by reading the file.
  RealFs disk;
  for (const char* path : {"values/eu west/ü/prod ä.yaml", "values/eu west/ü", "values/none.yaml", "lib.txt", "lib"}) {
    for (const char* bytes : {"name: prod\n", "name: prod", "x", ""}) {
      const std::string on_disk = scratch.path() + "/" + path;
      CHECK(files.holds(path, bytes) == disk.FileSystem::holds(on_disk, bytes));
    }
  }
}

TEST_CASE("several threads read the files of a commit", "[threads]") {
  const ScratchRepository scratch;
  scratch.shell(
      "for i in $(seq 40); do mkdir -p c/$i; for j in 1 2 3 4; do echo $i-$j > c/$i/$j; done; done\n"
      "git add -A && git commit -qm many && git gc -q");
  Opened opened(scratch.path(), "HEAD");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 1; i <= 40; ++i) {
        Dir folder;
        if (folder.open(*opened.files, fmt::format("c/{}", i))) ++wrong[t];
        for (int j = 1; j <= 4; ++j) {
          std::string bytes;
          const std::string name = fmt::format("{}", j);
          if (opened.files->read(folder / name, bytes, kMost) || bytes != fmt::format("{}-{}\n", i, j)) ++wrong[t];
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}

}  // namespace
}  // namespace capwright
