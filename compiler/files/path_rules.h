// Which paths a rendered file may have: ones that mean the same on every file system, in git, and inside their cluster.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright {

enum class PathRule : std::uint8_t {
  Text,      // UTF-8 without control, invisible or white-space characters
  Relative,  // no leading `/`, no drive letter
  Slashes,   // no backslash
  Parts,     // no empty part, `.` or `..`
  Ending,    // no part ends with a dot (or space, which Text refuses anywhere)
  Length,    // no part above 255 bytes
  Git,       // no `.git` and nothing that some system takes for it
  Windows,   // no device name (`con`, `nul.txt`), none of `< > : " | ? *`
  Reserved,  // no part starts with `.capwright-`
  Cluster,   // below `clusters/<name>/`
};

inline constexpr std::size_t kLongestPart = 255;  // bytes

// The first rule that a path breaks. `begin` and `end` are the bytes of the path at fault.
struct PathFault {
  PathRule rule = PathRule::Text;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// `directory` is where the path must lie ("clusters/prod/"); empty: anywhere.
std::optional<PathFault> find_path_fault(std::string_view path, std::string_view directory);

// What a path becomes where neither case nor the Unicode form counts: two paths with one folded form are one file on
// some systems. `/` is turned into U+0001, so that a directory sorts right before what is in it.
std::string folded_path(std::string_view path);

}  // namespace capwright
