// The valid paths of rendered files: those that mean the same on every file system, in git, and inside their cluster.
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
  Ending,    // no part ends with a dot (or space, which Text rejects anywhere)
  Length,    // no part above 255 bytes
  Git,       // no `.git` and no name that some system treats as `.git`
  Windows,   // no device name (`con`, `nul.txt`), none of `< > : " | ? *`
  Reserved,  // no part starts with `.capwright-`
  Cluster,   // below `clusters/<name>/`
};

inline constexpr std::size_t kLongestPart = 255;  // bytes

// What the name of a file promises, here and for Argo CD.
bool has_yaml_name(std::string_view path);
bool has_data_name(std::string_view path);      // YAML or JSON
bool has_manifest_name(std::string_view path);  // also Jsonnet: what Argo CD reads in a folder

// The first rule that a path violates. `begin` and `end` delimit the invalid bytes of the path.
struct PathFault {
  PathRule rule = PathRule::Text;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// `directory` is the required prefix ("clusters/prod/"); empty: any.
std::optional<PathFault> find_path_fault(std::string_view path, std::string_view directory);

// The path with case and Unicode form removed: two paths with one folded form are the same file on some systems. `/`
// becomes U+0001, so that a directory sorts directly before its content.
std::string folded_path(std::string_view path);

}  // namespace capwright
