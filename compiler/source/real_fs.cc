// The adapter to Linux's file calls. Every call is retried after an interrupting signal; errno is returned unchanged.
#include "source/real_fs.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <linux/openat2.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace capwright {
namespace {

static_assert(static_cast<int>(DirId::WorkingDirectory) == AT_FDCWD);

// A path with the final NUL for system calls, on the stack.
class SystemPath {
 public:
  explicit SystemPath(std::string_view path) {
    if (path.size() >= sizeof buffer_) {
      error_ = ENAMETOOLONG;
    } else if (path.find('\0') != std::string_view::npos) {
      error_ = EINVAL;
    } else {
      std::memcpy(buffer_, path.data(), path.size());
      buffer_[path.size()] = '\0';
    }
  }
  int error() const { return error_; }
  const char* text() const { return buffer_; }

 private:
  char buffer_[PATH_MAX];
  int error_ = 0;
};

class OpenDescriptor {
 public:
  explicit OpenDescriptor(int number) : number_(number) {}
  OpenDescriptor(const OpenDescriptor&) = delete;
  OpenDescriptor& operator=(const OpenDescriptor&) = delete;
  ~OpenDescriptor() { reset(-1); }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset(int number) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_;
};

template <class Call>
auto retry(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

int file_number(PathAt path) { return static_cast<int>(path.dir); }

// Wraps a call that takes one path and returns 0 or -1.
template <class Call>
IoError with_path(PathAt path, Call call) {
  const SystemPath name(path.path);
  if (name.error() != 0) return {name.error()};
  return {retry([&] { return call(file_number(path), name.text()); }) == 0 ? 0 : errno};
}
template <class Call>
IoError with_paths(PathAt from, PathAt to, Call call) {
  const SystemPath target(to.path);
  if (target.error() != 0) return {target.error()};
  return with_path(from, [&](int at, const char* path) { return call(at, path, file_number(to), target.text()); });
}

bool is_link(int at, const char* name) {
  struct stat found;
  return ::fstatat(at, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
}

// openat2's RESOLVE_NO_SYMLINKS part by part, for kernels and containers without it. Returns -1 and sets errno.
int open_by_parts(int at, std::string_view path, int flags) {
  OpenDescriptor parent(-1);
  for (;;) {
    const std::size_t slash = path.find('/');
    const SystemPath part(path.substr(0, slash));
    const int from = parent.number() < 0 ? at : parent.number();
    const bool last = slash == std::string_view::npos;
    const int wanted = last ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int opened = retry([&] { return ::openat(from, part.text(), wanted); });
    if (opened < 0) {
      const int error = errno;
      errno = error == ENOTDIR && is_link(from, part.text()) ? ELOOP : error;
      return -1;
    }
    if (last) return opened;
    parent.reset(opened);
    path.remove_prefix(slash + 1);
  }
}

// Opens an existing file. Returns the descriptor, or -1 and sets errno.
int open_existing(PathAt path, int flags) {
  const SystemPath name(path.path);
  if (name.error() != 0) {
    errno = name.error();
    return -1;
  }
  flags |= O_CLOEXEC;
  // A pipe without a writer must not block us. (openat2 rejects flags that have no meaning with O_PATH.)
  if ((flags & O_PATH) == 0) flags |= O_NONBLOCK | O_NOCTTY;
  if (path.dir == DirId::WorkingDirectory) return retry([&] { return ::open(name.text(), flags); });
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
  const auto opened = retry([&] { return ::syscall(SYS_openat2, file_number(path), name.text(), &how, sizeof how); });
  if (opened == -1 && (errno == ENOSYS || errno == EPERM)) return open_by_parts(file_number(path), path.path, flags);
  return static_cast<int>(opened);
}

FileType type_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileType::Regular;
  if (S_ISDIR(mode)) return FileType::Directory;
  return S_ISLNK(mode) ? FileType::Symlink : FileType::Other;
}

FileType type_of_entry(int directory, const dirent64& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileType::Regular;
    case DT_DIR: return FileType::Directory;
    case DT_LNK: return FileType::Symlink;
    case DT_UNKNOWN: break;  // some file systems don't report the type
    default: return FileType::Other;
  }
  struct stat found;
  if (::fstatat(directory, entry.d_name, &found, AT_SYMLINK_NOFOLLOW) != 0) return FileType::Other;
  return type_of_mode(found.st_mode);
}

// Reads once. Waits for a pipe that another process still writes to, such as the shell's `<(…)`.
ssize_t read_some(int file, char* bytes, std::size_t size) {
  for (;;) {
    const auto count = retry([&] { return ::read(file, bytes, size); });
    if (count >= 0 || errno != EAGAIN) return count;
    pollfd readable{file, POLLIN, 0};
    if (retry([&] { return ::poll(&readable, 1, -1); }) < 0) return -1;
  }
}

// Reads to the end. `expected` is the size that the system reports; pipes and /proc report 0.
IoError read_all(int file, std::string& bytes, std::uint64_t expected, std::uint64_t max_bytes) {
  const std::uint64_t most = max_bytes + (max_bytes < UINT64_MAX ? 1 : 0);
  bytes.resize(std::min(expected + 1, most));
  std::size_t used = 0;
  for (;;) {
    const ssize_t count = read_some(file, bytes.data() + used, bytes.size() - used);
    if (count < 0) return {errno};
    used += static_cast<std::size_t>(count);
    // A regular file that ends at its reported size needs no second call.
    if (count == 0 || (used == expected && used < bytes.size())) break;
    if (used > max_bytes) return {EFBIG};
    if (used == bytes.size()) bytes.resize(std::min<std::uint64_t>(std::max<std::size_t>(4096, used * 2), most));
  }
  bytes.resize(used);
  return {};
}

IoError write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = retry([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (count < 0) return {errno};
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace

IoError RealFs::read(PathAt path, std::string& bytes, std::uint64_t max_bytes) {
  bytes.clear();
  const OpenDescriptor file(open_existing(path, O_RDONLY));
  if (file.number() < 0) return {errno};
  struct stat found;
  if (::fstat(file.number(), &found) != 0) return {errno};
  if (S_ISDIR(found.st_mode)) return {EISDIR};
  const bool sized = S_ISREG(found.st_mode);
  const std::uint64_t size = sized ? static_cast<std::uint64_t>(found.st_size) : 0;
  // A managed tree contains only regular files; users may name a pipe.
  const bool is_ours = path.dir != DirId::WorkingDirectory;
  if (!sized && is_ours) return {ENXIO};
  const IoError error = read_all(file.number(), bytes, size, max_bytes);
  // A short read must not pass as the whole file: it would discard a generation of templates.
  return !error && is_ours && bytes.size() < size ? IoError{EIO} : error;
}

IoError RealFs::list(PathAt path, std::vector<DirEntry>& entries) {
  entries.clear();
  const OpenDescriptor directory(open_existing(path, O_RDONLY | O_DIRECTORY));
  if (directory.number() < 0) return {errno};
  alignas(dirent64) char buffer[16 * 1024];
  for (;;) {
    const auto size = retry([&] { return ::getdents64(directory.number(), buffer, sizeof buffer); });
    if (size < 0) return {errno};
    if (size == 0) break;
    for (ssize_t offset = 0; offset < size;) {
      const auto& entry = *reinterpret_cast<const dirent64*>(buffer + offset);
      const std::string_view name = entry.d_name;
      if (name != "." && name != "..") entries.push_back({std::string(name), type_of_entry(directory.number(), entry)});
      offset += entry.d_reclen;
    }
  }
  std::sort(entries.begin(), entries.end(), [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
  return {};
}

IoError RealFs::real_path(PathAt path, std::string& real) {
  if (path.path.find('\0') != std::string_view::npos) return {EINVAL};
  std::string target(path.path);
  // The file nearly always exists; then realpath needs one call per directory.
  if (char buffer[PATH_MAX]; ::realpath(target.c_str(), buffer) != nullptr) {
    real = buffer;
    return {};
  }
  if (const IoError error = follow_links(target)) return error;  // also for a dangling link
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(target, failed);
  if (failed) return {failed.value()};
  real = std::filesystem::weakly_canonical(absolute, failed).string();
  return {failed.value()};
}

IoError RealFs::stat(PathAt path, FileStat& stat) {
  struct stat found;
  if (path.dir == DirId::WorkingDirectory) {
    const IoError error = with_path(path, [&](int at, const char* name) { return ::fstatat(at, name, &found, 0); });
    if (error) return error;
  } else {
    const OpenDescriptor file(open_existing(path, O_PATH | O_NOFOLLOW));
    if (file.number() < 0 || ::fstat(file.number(), &found) != 0) return {errno};
  }
  stat = {type_of_mode(found.st_mode), found.st_mode & 07777u, static_cast<std::uint64_t>(found.st_size)};
  return {};
}

IoError RealFs::open_dir(PathAt path, DirId& opened) {
  int number = open_existing(path, O_RDONLY | O_DIRECTORY);
  if (number >= 0 && number <= STDERR_FILENO) {  // a standard stream is closed, and would become this folder
    const int moved = ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(number);
    number = moved;
  }
  if (number < 0) return {errno};
  opened = static_cast<DirId>(number);
  return {};
}

void RealFs::close_dir(DirId opened) { ::close(static_cast<int>(opened)); }

IoError RealFs::lock(DirId opened) {
  const int result = retry([&] { return ::flock(static_cast<int>(opened), LOCK_EX | LOCK_NB); });
  return {result != 0 && errno == EWOULDBLOCK ? EWOULDBLOCK : 0};
}

IoError RealFs::make_dir(PathAt path, std::uint32_t mode) {
  return with_path(path, [&](int at, const char* name) { return ::mkdirat(at, name, mode); });
}

void RealFs::take_after(PathAt directory, PathAt model) {
  const OpenDescriptor made(open_existing(directory, O_RDONLY | O_DIRECTORY));
  const OpenDescriptor kept(open_existing(model, O_RDONLY | O_DIRECTORY));
  struct stat now, before;
  if (made.number() < 0 || kept.number() < 0) return;
  if (::fstat(made.number(), &now) != 0 || ::fstat(kept.number(), &before) != 0) return;
  bool has_group = now.st_gid == before.st_gid;
  if (now.st_uid != before.st_uid || !has_group) {
    constexpr auto kSameUser = static_cast<uid_t>(-1);
    has_group |= ::fchown(made.number(), before.st_uid, before.st_gid) == 0 ||
                 ::fchown(made.number(), kSameUser, before.st_gid) == 0;
  }
  // Without the directory's group, the setgid bit would pass on the wrong group.
  const mode_t mode = before.st_mode & (has_group ? 07777u : 05777u);
  static_cast<void>(::fchmod(made.number(), mode));
}

IoError RealFs::create(PathAt path, std::string_view bytes, std::uint32_t mode) {
  const SystemPath name(path.path);
  if (name.error() != 0) return {name.error()};
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
  OpenDescriptor file(retry([&] { return ::openat(file_number(path), name.text(), kFlags, mode); }));
  if (file.number() < 0) return {errno};
  if (const IoError error = write_all(file.number(), bytes)) return error;
  // Network file systems report a full disk only on close. After EINTR, Linux has closed the file.
  return {::close(file.release()) == 0 || errno == EINTR ? 0 : errno};
}

IoError RealFs::link(PathAt existing, PathAt added) {
  return with_paths(existing, added, [](int from_at, const char* from, int to_at, const char* to) {
    return ::linkat(from_at, from, to_at, to, 0);
  });
}

IoError RealFs::rename(PathAt from, PathAt to) {
  return with_paths(from, to, [](int from_at, const char* old_name, int to_at, const char* new_name) {
    return ::renameat(from_at, old_name, to_at, new_name);
  });
}

IoError RealFs::exchange(PathAt one, PathAt other) {
  return with_paths(one, other, [](int one_at, const char* one_name, int other_at, const char* other_name) {
    return ::renameat2(one_at, one_name, other_at, other_name, RENAME_EXCHANGE);
  });
}

IoError RealFs::remove(PathAt path) {
  return with_path(path, [](int at, const char* name) { return ::unlinkat(at, name, 0); });
}

IoError RealFs::remove_dir(PathAt path) {
  return with_path(path, [](int at, const char* name) { return ::unlinkat(at, name, AT_REMOVEDIR); });
}

}  // namespace capwright
