// The file system as the compiler sees it: few calls, errors as values, and paths below a directory handle that never
// pass through a symbolic link. RealFs is the operating system's, MemoryFs the one of tests.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capwright {

// What a failed call answered: an errno, or 0. Reads as "is there an error".
struct [[nodiscard]] IoError {
  int code = 0;
  constexpr explicit operator bool() const { return code != 0; }
};

// Not an errno: the path leads out of the files that this file system may touch (BoundedFs).
inline constexpr int kOutOfBounds = -1;

// An open directory. WorkingDirectory stands for paths as the user writes them.
enum class DirId : int { WorkingDirectory = -100 };

// A path, and where it starts. From the working directory it is resolved as the system does, links included. Below an
// open directory it is relative, without `..`, and `.` is the directory itself; there read(), list(), stat() and
// open_dir() answer ELOOP when any part is a symbolic link, while for calls that change something the parents are
// directories that the caller has made or opened.
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

// Permission bits that new files and directories ask for; the process's umask narrows them, as with any compiler.
inline constexpr std::uint32_t kFileMode = 0666, kPrivateFileMode = 0600, kDirectoryMode = 0777;

// Nothing is flushed to the disk by any call: what a process has written survives its death, not a power cut.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // The whole file, replacing `bytes`. EISDIR for a directory; below an open directory ENXIO for a pipe, socket or
  // device. EFBIG when it has more than `max_bytes`, of which no more than one byte above are read.
  virtual IoError read(PathAt file, std::string& bytes, std::uint64_t max_bytes) = 0;
  // Whether the file has these bytes, and no others; also false where it can't be read. This one reads it.
  virtual bool holds(PathAt file, std::string_view bytes);
  // The entries of a directory without `.` and `..`, sorted by the bytes of their names.
  virtual IoError list(PathAt directory, std::vector<DirEntry>& entries) = 0;
  // From the working directory: the absolute path through no link and no `..`, of a file that may not be there. This
  // one knows of no links.
  virtual IoError real_path(PathAt path, std::string& real);
  // Below an open directory a link as the last part is reported as Symlink; from the working directory it is followed.
  virtual IoError stat(PathAt path, FileStat& stat) = 0;

  virtual IoError open_dir(PathAt directory, DirId& opened) = 0;
  virtual void close_dir(DirId opened) = 0;
  // Excludes other processes from locking the same directory until it is closed; EWOULDBLOCK when one has it.
  virtual IoError lock(DirId opened) = 0;

  virtual IoError make_dir(PathAt directory, std::uint32_t mode) = 0;
  // Gives a directory the owner, group and permission bits of another one, as far as the user may: without the right
  // to give files away the owner stays the user. This one has no owners and changes nothing.
  virtual void take_after(PathAt directory, PathAt model);
  // A new file; EEXIST when there is one. After another error a part of it may be there.
  virtual IoError create(PathAt file, std::string_view bytes, std::uint32_t mode) = 0;
  // A further name for a file or symbolic link. EPERM, EXDEV, EMLINK, EOPNOTSUPP where links can't be made.
  virtual IoError link(PathAt existing, PathAt added) = 0;
  // In one step: `to` names what `from` did; a file or an empty directory of that name is gone.
  virtual IoError rename(PathAt from, PathAt to) = 0;
  // In one step: each of the two names what the other did. EINVAL, ENOSYS, EXDEV … where the system can't.
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

// "no such file or directory", "permission denied": the system's words, whatever the locale.
std::string describe(IoError);

// `directory` and its missing parents.
IoError make_dirs(FileSystem&, std::string_view directory);

// Everything below `directory`, and itself. Links are removed, not followed.
IoError remove_tree(FileSystem&, PathAt directory);

// Writes a file that is either the old or the new one at any moment, by way of `<file>.capwright-new` beside it.
IoError replace_file(FileSystem&, PathAt file, std::string_view bytes);

}  // namespace capwright
