// std::filesystem has neither inodes nor a stable unit of times.
#include <sys/stat.h>

#include "source/real_system.h"

namespace capwright {

std::optional<FileStamp> real_stamp(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileStamp{found.st_mtim.tv_sec, found.st_mtim.tv_nsec, static_cast<std::uint64_t>(found.st_size),
                   found.st_ino};
}

}  // namespace capwright
