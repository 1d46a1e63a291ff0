// The two file systems behave alike, so that tests with MemoryFs also hold on disk.
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <memory>
#include <stddef.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "scratch_folder.h"
#include "source/memory_fs.h"
#include "source/real_fs.h"

namespace capwright {
namespace {

constexpr std::uint64_t kAnySize = 1'000'000;

std::string names(const std::vector<DirEntry>& entries) {
  static constexpr char kMarks[] = {' ', '/', '@', '?'};
  std::string all;
  for (const DirEntry& entry : entries) all += entry.name + kMarks[static_cast<int>(entry.type)];
  return all;
}

// A folder `top` on disk or in memory, with a file, a folder and links.
struct World {
  test::ScratchFolder scratch;
  std::unique_ptr<FileSystem> fs;
  std::string path;
  Dir top;
};

World make_world(bool on_disk) {
  World world;
  if (on_disk) {
    world.fs = std::make_unique<RealFs>();
    world.path = world.scratch.path() + "/top";
  } else {
    world.fs = std::make_unique<MemoryFs>();
    world.path = "top";
  }
  REQUIRE_FALSE(world.fs->make_dir(world.path, kDirectoryMode));
  REQUIRE_FALSE(world.top.open(*world.fs, world.path));
  REQUIRE_FALSE(world.fs->create(world.top / "file", "bytes", kFileMode));
  REQUIRE_FALSE(world.fs->make_dir(world.top / "folder", kDirectoryMode));
  REQUIRE_FALSE(world.fs->create(world.top / "folder/below", "more", kFileMode));
  if (on_disk) {
    REQUIRE(::symlink("file", (world.path + "/file-link").c_str()) == 0);
    REQUIRE(::symlink("folder", (world.path + "/folder-link").c_str()) == 0);
  } else {
    static_cast<MemoryFs&>(*world.fs).add_symlink("top/file-link", "file");
    static_cast<MemoryFs&>(*world.fs).add_symlink("top/folder-link", "folder");
  }
  return world;
}

// Reading calls, valid and invalid, with their results.
void exercise_looking(World& world) {
  FileSystem& fs = *world.fs;
  const Dir& top = world.top;
  std::string bytes;
  std::vector<DirEntry> entries;
  FileStat stat;
  Dir dir;

  CHECK(fs.read(top / "file", bytes, kAnySize).code == 0);
  CHECK(bytes == "bytes");
  CHECK(fs.read(top / "file", bytes, 5).code == 0);
  CHECK(fs.read(top / "file", bytes, 4).code == EFBIG);
  CHECK(fs.read(top / "none", bytes, kAnySize).code == ENOENT);
  CHECK(bytes.empty());
  CHECK(fs.read(top / "folder", bytes, kAnySize).code == EISDIR);
  CHECK(fs.read(top / "file/below", bytes, kAnySize).code == ENOTDIR);
  CHECK(fs.read(top / "file-link", bytes, kAnySize).code == ELOOP);
  CHECK(fs.read(top / "folder-link/below", bytes, kAnySize).code == ELOOP);
  CHECK(fs.read(world.path + "/folder-link/below", bytes, kAnySize).code == 0);
  CHECK(bytes == "more");

  CHECK(fs.list(top / ".", entries).code == 0);
  CHECK(names(entries) == "file file-link@folder/folder-link@");
  CHECK(fs.list(top / "folder", entries).code == 0);
  CHECK(names(entries) == "below ");
  CHECK(fs.list(top / "file", entries).code == ENOTDIR);
  CHECK(fs.list(top / "folder-link", entries).code == ELOOP);

  CHECK(fs.stat(top / "file", stat).code == 0);
  CHECK((stat.type == FileType::Regular && stat.size == 5 && (stat.mode & 0600) == 0600));
  CHECK(fs.stat(top / "file-link", stat).code == 0);
  CHECK(stat.type == FileType::Symlink);
  CHECK(fs.stat(world.path + "/folder", stat).code == 0);
  CHECK(stat.type == FileType::Directory);
  CHECK(fs.stat(top / "none", stat).code == ENOENT);

  CHECK(dir.open(fs, top / "folder").code == 0);
  CHECK(fs.read(dir / "below", bytes, kAnySize).code == 0);
  CHECK(dir.open(fs, top / "file").code == ENOTDIR);
  CHECK_FALSE(dir.is_open());
  CHECK(dir.open(fs, top / "folder-link").code == ELOOP);
}

void exercise_changing(World& world) {
  FileSystem& fs = *world.fs;
  const Dir& top = world.top;
  std::string bytes;
  std::vector<DirEntry> entries;
  FileStat stat;

  CHECK(fs.make_dir(top / "folder", kDirectoryMode).code == EEXIST);
  CHECK(fs.make_dir(top / "none/below", kDirectoryMode).code == ENOENT);
  CHECK(fs.create(top / "file", "x", kFileMode).code == EEXIST);
  CHECK(fs.create(top / "file-link", "x", kFileMode).code == EEXIST);
  CHECK(fs.create(top / "none/x", "x", kFileMode).code == ENOENT);
  CHECK(fs.create(top / "private", "", kPrivateFileMode).code == 0);
  CHECK(fs.stat(top / "private", stat).code == 0);
  CHECK((stat.mode == 0600 && stat.size == 0));

  CHECK(fs.link(top / "file", top / "folder/second").code == 0);
  CHECK(fs.link(top / "file", top / "folder/second").code == EEXIST);
  CHECK(fs.link(top / "folder", top / "third").code == EPERM);
  CHECK(fs.link(top / "file-link", top / "folder/link").code == 0);
  CHECK(fs.rename(top / "file", top / "folder/second").code == 0);  // both names are the same file: nothing happens
  CHECK(fs.rename(top / "file", top / "moved").code == 0);
  CHECK(fs.read(top / "folder/second", bytes, kAnySize).code == 0);
  CHECK(bytes == "bytes");
  CHECK(fs.rename(top / "private", top / "moved").code == 0);
  CHECK(fs.read(top / "moved", bytes, kAnySize).code == 0);
  CHECK(bytes.empty());
  CHECK(fs.rename(top / "none", top / "moved").code == ENOENT);
  CHECK(fs.rename(top / "moved", top / "folder").code == EISDIR);
  CHECK(fs.rename(top / "folder", top / "moved").code == ENOTDIR);

  CHECK(fs.make_dir(top / "other", kDirectoryMode).code == 0);
  CHECK(fs.exchange(top / "other", top / "none").code == ENOENT);
  CHECK(fs.exchange(top / "other", top / "folder").code == 0);
  CHECK(fs.list(top / "other", entries).code == 0);
  CHECK(names(entries) == "below link@second ");
  CHECK(fs.rename(top / "folder", top / "other").code == ENOTEMPTY);

  CHECK(fs.remove(top / "none").code == ENOENT);
  CHECK(fs.remove(top / "other").code == EISDIR);
  CHECK(fs.remove_dir(top / "other").code == ENOTEMPTY);
  CHECK(fs.remove_dir(top / "moved").code == ENOTDIR);
  CHECK(remove_tree(fs, top / "other").code == 0);
  CHECK(remove_tree(fs, top / "other").code == ENOENT);
  CHECK(fs.remove_dir(top / "folder").code == 0);
  CHECK(fs.remove(top / "file-link").code == 0);
  CHECK(fs.list(top / ".", entries).code == 0);
  CHECK(names(entries) == "folder-link@moved ");
}

void exercise_lock(World& world) {
  Dir first, second;
  REQUIRE_FALSE(first.open(*world.fs, world.path));
  REQUIRE_FALSE(second.open(*world.fs, world.path));
  CHECK(world.fs->lock(first.id()).code == 0);
  CHECK(world.fs->lock(second.id()).code == EWOULDBLOCK);
  first.close();
  CHECK(world.fs->lock(second.id()).code == 0);
}

void exercise_made_of_several(World& world) {
  FileSystem& fs = *world.fs;
  std::string bytes;
  CHECK(make_dirs(fs, world.path + "/a/b/c/").code == 0);
  CHECK(make_dirs(fs, world.path + "/a/b/c").code == 0);
  CHECK(make_dirs(fs, world.path + "/file/x").code == ENOTDIR);
  CHECK(make_dirs(fs, world.path + "/file").code == ENOTDIR);
  CHECK(replace_file(fs, world.path + "/a/new", "1").code == 0);
  CHECK(fs.create(world.path + "/a/new.capwright-new", "left by a killed run", kFileMode).code == 0);
  CHECK(replace_file(fs, world.path + "/a/new", "2").code == 0);
  CHECK(fs.read(world.path + "/a/new", bytes, kAnySize).code == 0);
  CHECK(bytes == "2");
  CHECK(replace_file(fs, world.path + "/none/new", "1").code == ENOENT);
}

TEST_CASE("both file systems return the same results") {
  World on_disk = make_world(true), in_memory = make_world(false);
  exercise_looking(on_disk);
  exercise_looking(in_memory);
  exercise_changing(on_disk);
  exercise_changing(in_memory);
}

TEST_CASE("a real path has no links and no dots, also for a missing file") {
  World world = make_world(true);
  RealFs fs;
  std::string top, real;
  REQUIRE(fs.real_path(world.path, top).code == 0);
  REQUIRE(::symlink("../elsewhere/none", (world.path + "/folder/nowhere").c_str()) == 0);
  REQUIRE(::symlink("loop", (world.path + "/loop").c_str()) == 0);
  for (const auto& [path, wanted] : {std::pair("/folder-link/below", "/folder/below"),
                                     {"/folder/../file-link", "/file"},
                                     {"/folder-link/../none/x", "/none/x"},
                                     {"/none/../file", "/file"},
                                     {"/folder-link/nowhere", "/elsewhere/none"}}) {
    CHECK(fs.real_path(world.path + path, real).code == 0);
    CHECK(real == top + wanted);
  }
  CHECK(fs.real_path(world.path + "/loop", real).code == ELOOP);
  CHECK(fs.real_path(std::string("a\0b", 3), real).code == EINVAL);
}

TEST_CASE("a folder is locked by one handle at a time") {
  World on_disk = make_world(true), in_memory = make_world(false);
  exercise_lock(on_disk);
  exercise_lock(in_memory);
}

TEST_CASE("directories are created with their parents, files are replaced as a whole") {
  World on_disk = make_world(true), in_memory = make_world(false);
  exercise_made_of_several(on_disk);
  exercise_made_of_several(in_memory);
}

TEST_CASE("a path that is too long for the system is an error and not truncated") {
  RealFs fs;
  std::string bytes;
  CHECK(fs.read(std::string(5000, 'a'), bytes, kAnySize).code == ENAMETOOLONG);
  CHECK(fs.read(std::string(300, 'a'), bytes, kAnySize).code == ENAMETOOLONG);
  CHECK(fs.read(std::string_view("a\0b", 3), bytes, kAnySize).code == EINVAL);
}

TEST_CASE("files without a reported size are read to their end") {
  RealFs fs;
  std::string bytes;
  CHECK(fs.read("/proc/self/status", bytes, kAnySize).code == 0);
  CHECK(bytes.find("VmRSS") != std::string::npos);
  CHECK(fs.read("/dev/zero", bytes, 10'000).code == EFBIG);
}

TEST_CASE("a pipe in a tree doesn't block a reader") {
  World world = make_world(true);
  std::string bytes;
  const std::string path = world.path + "/pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(world.fs->read(world.top / "pipe", bytes, kAnySize).code == ENXIO);
  CHECK(world.fs->read(path, bytes, kAnySize).code == 0);  // a pipe without a writer
  CHECK(bytes.empty());
}

TEST_CASE("a pipe that a user names is read until its writer closes it") {
  RealFs fs;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::jthread writer([file = ends[1]] {
    for (const char* part : {"one ", "two"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      CHECK(::write(file, part, std::strlen(part)) > 0);
    }
    ::close(file);
  });
  std::string bytes;
  CHECK(fs.read("/proc/self/fd/" + std::to_string(ends[0]), bytes, kAnySize).code == 0);
  CHECK(bytes == "one two");
  ::close(ends[0]);
}

TEST_CASE("error messages are in English, in lower case") {
  CHECK(describe({ENOSPC}) == "no space left on device");
  CHECK(describe({EIO}) == "input/output error");
  CHECK(describe({99999}) == "error 99999");
}

// Makes openat2 return ENOSYS in this process, as old kernels and some containers do.
bool without_openat2() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof filter / sizeof filter[0], filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_CASE("links are rejected on kernels without openat2, too") {
  World world = make_world(true);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!without_openat2()) ::_exit(0);  // no seccomp here: nothing to test
    std::string bytes;
    std::vector<DirEntry> entries;
    const bool fine = !world.fs->read(world.top / "folder/below", bytes, kAnySize) && bytes == "more" &&
                      world.fs->read(world.top / "file-link", bytes, kAnySize).code == ELOOP &&
                      world.fs->read(world.top / "folder-link/below", bytes, kAnySize).code == ELOOP &&
                      world.fs->read(world.top / "file/below", bytes, kAnySize).code == ENOTDIR &&
                      world.fs->read(world.top / "none/below", bytes, kAnySize).code == ENOENT &&
                      world.fs->list(world.top / "folder-link", entries).code == ELOOP &&
                      !world.fs->list(world.top / ".", entries);
    ::_exit(fine ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

}  // namespace
}  // namespace capwright
