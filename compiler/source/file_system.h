// The file system interface of the compiler: few calls, errors as values, and paths below a directory handle that never
// pass through a symbolic link. RealFs uses the operating system; MemoryFs is for tests.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capwright {

// The result of a call: an errno, or 0. Converts to true if there is an error.
struct [[nodiscard]] IoError {
  int code = 0;
  constexpr explicit operator bool() const { return code != 0; }
};

// Not an errno: the path leads outside the files that this file system may access (BoundedFs).
inline constexpr int kOutOfBounds = -1;

// An open directory. WorkingDirectory means that the path is as the user wrote it.
enum class DirId : int { WorkingDirectory = -100 };

// A path and the directory where it starts. From the working directory, the system resolves it, including links. Below
// an open directory it is relative, without `..`, and `.` is the directory itself. There, read(), list(), stat() and
// open_dir() return ELOOP if any part is a symbolic link; calls that change something require parents that the caller
// made or opened.
struct PathAt {
  DirId dir = DirId::WorkingDirectory;
  std::string_view path;

  PathAt(std::string_view user_path) : path(user_path) {}
  PathAt(const std::string& user_path) : path(user_path) {}
  PathAt(const char* user_path) : path(user_path) {}
  PathAt(DirId directory, std::string_view relative) : dir(directory), path(relative) {}
};

enum class FileType : std::uint8_t { Regular, Directory, Symlink, Other };

struct FileStat {
  FileType type = FileType::Other;
  std::uint32_t mode = 0;  // permission bits
  std::uint64_t size = 0;  // bytes
};

struct DirEntry {
  std::string name;
  FileType type = FileType::Other;
};

// Permission bits for new files and directories; the process's umask restricts them further.
inline constexpr std::uint32_t kFileMode = 0666, kPrivateFileMode = 0600, kDirectoryMode = 0777;

// No call flushes to disk: written data survives the end of the process, not a power failure.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Reads the whole file and replaces `bytes`. EISDIR for a directory; below an open directory, ENXIO for a pipe,
  // socket or device. EFBIG if it has more than `max_bytes`; at most one byte more is read.
  virtual IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) = 0;
  // Whether the file has exactly these bytes; false if it can't be read. The default implementation reads it.
  virtual bool holds(PathAt file, std::string_view bytes);
  // The entries of a directory without `.` and `..`, sorted by the bytes of their names.
  virtual IoError list(PathAt directory, std::vector<DirEntry>& entries) = 0;
  // From the working directory: the absolute path without links and `..`. The file need not exist. The default
  // implementation has no links.
  virtual IoError real_path(PathAt path, std::string& real);
  // Below an open directory, a link as the last part is reported as Symlink; from the working directory it is followed.
  virtual IoError stat(PathAt path, FileStat& stat) = 0;
  bool exists(PathAt path) {
    FileStat ignored;
    return !stat(path, ignored);
  }

  virtual IoError open_dir(PathAt directory, DirId& opened) = 0;
  virtual void close_dir(DirId opened) = 0;
  // Locks the directory against other processes until it is closed; EWOULDBLOCK if another process holds the lock.
  virtual IoError lock(DirId opened) = 0;

  virtual IoError make_dir(PathAt directory, std::uint32_t mode) = 0;
  // Copies the owner, group and permission bits of another directory, as far as the user may; without the right to
  // change owners the owner stays the user. The default implementation has no owners and does nothing.
  virtual void take_after(PathAt directory, PathAt model);
  // Creates a file; EEXIST if there is one. After another error, a part of it may exist.
  virtual IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) = 0;
  // Adds a hard link to a file or symbolic link. EPERM, EXDEV, EMLINK, EOPNOTSUPP if links can't be made.
  virtual IoError link(PathAt existing, PathAt added) = 0;
  // Atomic. Replaces a file or an empty directory at `to`.
  virtual IoError rename(PathAt from, PathAt to) = 0;
  // Swaps the two names, atomically. EINVAL, ENOSYS, EXDEV … if the system doesn't support it.
  virtual IoError exchange(PathAt one, PathAt other) = 0;
  virtual IoError remove(PathAt file) = 0;
  virtual IoError remove_dir(PathAt empty_directory) = 0;
};

// An open directory that closes itself.
class Dir {
 public:
  Dir() = default;
  Dir(Dir&& other) noexcept : fs_(std::exchange(other.fs_, nullptr)), id_(other.id_) {}
  Dir& operator=(Dir&& other) noexcept {
    std::swap(fs_, other.fs_);
    std::swap(id_, other.id_);
    return *this;
  }
  Dir(const Dir&) = delete;
  Dir& operator=(const Dir&) = delete;
  ~Dir() { close(); }

  IoError open(FileSystem& fs, PathAt directory);
  void close();
  bool is_open() const { return fs_ != nullptr; }
  DirId id() const { return id_; }
  PathAt operator/(std::string_view relative) const { return {id_, relative}; }

 private:
  FileSystem* fs_ = nullptr;
  DirId id_ = DirId::WorkingDirectory;
};

// "no such file or directory", "permission denied": the system's messages, independent of the locale.
std::string describe(IoError);

// Creates `directory` and its missing parents.
IoError make_dirs(FileSystem&, std::string_view directory);

// Removes `directory` and everything below it. Links are removed, not followed.
IoError remove_tree(FileSystem&, PathAt directory);

// Replaces a file atomically by writing `<file>.capwright-new` beside it and renaming it.
IoError replace_file(FileSystem&, PathAt file, std::string_view bytes);

}  // namespace capwright
