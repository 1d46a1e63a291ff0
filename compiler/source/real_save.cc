// Follows links here, because a rename replaces a link instead of its target.

#include <cerrno>
#include <charconv>
#include <climits>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "source/real_fs.h"

namespace capwright {
namespace {

constexpr int kMostLinks = 40;  // the same as Linux

// Opening a regular file's descriptor again would write from its start, over its content.
std::optional<int> descriptor_of(std::string_view path) {
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const char *first = path.data() + folder.size(), *last = path.data() + path.size();
    int number = -1;
    const auto read = std::from_chars(first, last, number);
    if (read.ec == std::errc() && read.ptr == last && number >= 0) return number;
  }
  return std::nullopt;
}

IoError write_to(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // another process set the pipe to non-blocking mode
      pollfd writable{file, POLLOUT, 0};
      if (::poll(&writable, 1, -1) < 0 && errno != EINTR) return {errno};
    } else if (errno != EINTR) {
      return {errno};
    }
  }
  return {};
}

IoError write_into(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return {errno};
  const IoError error = write_to(file, bytes);
  return ::close(file) == 0 || error || errno == EINTR ? error : IoError{errno};
}

// Replaces `path` with the target of the link, from the working directory; follows one link.
IoError follow_link(std::string& path) {
  char buffer[PATH_MAX];
  const ssize_t size = ::readlink(path.c_str(), buffer, sizeof buffer);
  if (size < 0) return {errno};
  if (size == sizeof buffer) return {ENAMETOOLONG};
  const std::string_view target(buffer, static_cast<std::size_t>(size));
  if (target.starts_with('/')) path.clear();
  else path.resize(path.rfind('/') + 1);  // empty if there is no slash
  path += target;
  return {};
}

}  // namespace

IoError follow_links(std::string& path) {
  for (int links = 0; !descriptor_of(path); ++links) {
    struct stat found;
    if (::lstat(path.c_str(), &found) != 0) return {errno == ENOENT ? 0 : errno};
    if (!S_ISLNK(found.st_mode)) return {};
    if (links == kMostLinks) return {ELOOP};
    if (const IoError error = follow_link(path)) return error;
  }
  return {};
}

IoError save_file(std::string_view path, std::string_view bytes) {
  if (path.find('\0') != std::string_view::npos) return {EINVAL};
  std::string target(path);
  if (const IoError error = follow_links(target)) return error;
  if (const auto number = descriptor_of(target)) return write_to(*number, bytes);
  struct stat found;
  if (::lstat(target.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    return S_ISDIR(found.st_mode) ? IoError{EISDIR} : write_into(target, bytes);
  }
  RealFs files;
  return replace_file(files, target, bytes);
}

}  // namespace capwright
