// fsync() of a file, then of its folder, so that neither its bytes nor its name are lost.
#include "source/real_private_files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace capwright {
namespace {

constexpr std::uint32_t kPrivateDirectoryMode = 0700;

// Runs a call again while a signal interrupts it.
template <class Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

IoError write_bytes(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = uninterrupted([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (count < 0) return {errno};
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

IoError write_durably(int folder, const char* name, std::string_view bytes) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  if (::unlinkat(folder, name, 0) != 0 && errno != ENOENT) return {errno};  // of a run that was killed
  const int file = ::openat(folder, name, kFlags, kPrivateFileMode);
  if (file < 0) return {errno};
  IoError error = write_bytes(file, bytes);
  if (!error && uninterrupted([&] { return ::fsync(file); }) != 0) error = {errno};
  ::close(file);
  return error;
}

}  // namespace

IoError PrivateLog::open(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, kPrivateFileMode);
  return file_ < 0 ? IoError{errno} : IoError{};
}

IoError PrivateLog::write(std::string_view bytes) {
  if (!error_ && file_ >= 0) error_ = write_bytes(file_, bytes);
  return error_;
}

PrivateLog::~PrivateLog() {
  if (file_ >= 0) ::close(file_);
}

IoError RealPrivateFiles::make_dirs(const std::string& folder) {
  for (std::size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
    const std::string part = folder.substr(0, end);
    if (::mkdir(part.c_str(), kPrivateDirectoryMode) != 0 && errno != EEXIST) return {errno};
    if (end == std::string::npos) break;
  }
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return {errno == ENOTDIR ? ELOOP : errno};
  const int changed = ::fchmod(opened, kPrivateDirectoryMode);
  const IoError error = changed == 0 ? IoError{} : IoError{errno};
  ::close(opened);
  return error;
}

IoError RealPrivateFiles::replace(const std::string& path, std::string_view bytes) {
  const std::size_t slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path.substr(0, slash);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1), added = name + ".capwright-new";
  const int folder = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return {errno == ENOTDIR ? ELOOP : errno};
  IoError error = write_durably(folder, added.c_str(), bytes);
  if (!error && ::renameat(folder, added.c_str(), folder, name.c_str()) != 0) error = {errno};
  if (!error && uninterrupted([&] { return ::fsync(folder); }) != 0) error = {errno};
  ::close(folder);
  return error;
}

}  // namespace capwright
