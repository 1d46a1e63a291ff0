// The type of a named output is kept: only regular files are replaced.
#include <catch2/catch.hpp>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <thread>
#include <unistd.h>

#include "scratch_folder.h"
#include "source/real_fs.h"

namespace capwright {
namespace {

std::string bytes_of(const std::string& path) {
  std::string bytes;
  RealFs files;
  return files.read(path, bytes, 1000) ? "unreadable" : bytes;
}

mode_t type_of(const std::string& path) {
  struct stat found;
  return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & S_IFMT : 0;
}

TEST_CASE("a file is saved as a whole, at the end of its links") {
  const test::ScratchFolder scratch;
  const std::string top = scratch.path() + "/";
  REQUIRE(::mkdir((top + "folder").c_str(), 0777) == 0);
  REQUIRE(::symlink("folder/file", (top + "link").c_str()) == 0);
  REQUIRE(::symlink((top + "link").c_str(), (top + "link-to-link").c_str()) == 0);
  CHECK(save_file(top + "link-to-link", "first").code == 0);  // the target doesn't exist yet
  CHECK(save_file(top + "link", "second").code == 0);
  CHECK(bytes_of(top + "folder/file") == "second");
  CHECK(type_of(top + "link") == S_IFLNK);
  CHECK(type_of(top + "link-to-link") == S_IFLNK);
  CHECK(type_of(top + "folder/file") == S_IFREG);
  CHECK(save_file(top + "folder/file", "third").code == 0);
  CHECK(bytes_of(top + "link") == "third");
}

TEST_CASE("a failed save is an error, and nothing is lost") {
  const test::ScratchFolder scratch;
  const std::string top = scratch.path() + "/";
  REQUIRE(::symlink("loop", (top + "loop").c_str()) == 0);
  CHECK(save_file(top + "loop", "x").code == ELOOP);
  CHECK(save_file(scratch.path(), "x").code == EISDIR);
  CHECK(save_file(top + "none/file", "x").code == ENOENT);
  CHECK(save_file(top + std::string("a\0b", 3), "x").code == EINVAL);
  CHECK(save_file("/dev/fd/987", "x").code == EBADF);
  CHECK(type_of(top + "loop") == S_IFLNK);
}

TEST_CASE("a named pipe is written to, and kept") {
  const test::ScratchFolder scratch;
  const std::string pipe = scratch.path() + "/pipe", link = scratch.path() + "/link";
  REQUIRE(::mkfifo(pipe.c_str(), 0666) == 0);
  REQUIRE(::symlink("pipe", link.c_str()) == 0);
  const std::string large(200'000, 'x');  // more than a pipe holds
  IoError error;
  std::thread writer([&] { error = save_file(link, large); });
  const int reading = ::open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(reading >= 0);
  std::string all;
  char buffer[4096];
  for (ssize_t count; (count = ::read(reading, buffer, sizeof buffer)) > 0;)
    all.append(buffer, static_cast<std::size_t>(count));
  writer.join();
  ::close(reading);
  CHECK(error.code == 0);
  CHECK(all == large);
  CHECK(type_of(pipe) == S_IFIFO);
  CHECK(type_of(link) == S_IFLNK);
}

TEST_CASE("a descriptor is written to at its current offset") {
  const test::ScratchFolder scratch;
  const std::string path = scratch.path() + "/file";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  REQUIRE(file >= 0);
  REQUIRE(::write(file, "before,", 7) == 7);
  CHECK(save_file("/dev/fd/" + std::to_string(file), "between,").code == 0);
  REQUIRE(::write(file, "after", 5) == 5);
  ::close(file);
  CHECK(bytes_of(path) == "before,between,after");
}

// A separate device, so that an error here can't destroy the machine's /dev/full; needs permission to create one.
TEST_CASE("a device is written to, and kept") {
  const test::ScratchFolder scratch;
  const std::string full = scratch.path() + "/full";
  if (::mknod(full.c_str(), S_IFCHR | 0666, ::makedev(1, 7)) != 0) return;
  const int file = ::open(full.c_str(), O_WRONLY | O_CLOEXEC);  // fails where devices are disabled
  if (file < 0) return;
  ::close(file);
  CHECK(save_file(full, "x").code == ENOSPC);
  CHECK(type_of(full) == S_IFCHR);
}

}  // namespace
}  // namespace capwright
