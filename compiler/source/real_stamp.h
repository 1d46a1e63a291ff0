// When a file was last replaced or changed.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace capwright {

// Equal stamps: the file is very likely the same.
struct FileStamp {
  std::int64_t seconds = 0, nanoseconds = 0;  // of the last change
  std::uint64_t size = 0, inode = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Of a file or directory; links are followed. Empty: there is none.
std::optional<FileStamp> real_stamp(const std::string& path);

}  // namespace capwright
