// Checks the rules part by part. Almost all paths are plain ASCII, so Unicode tables are used only for the others.
#include "files/path_rules.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utf8proc.h>

#include "base/ascii.h"

namespace capwright {
namespace {

constexpr std::string_view kGit = ".git";
constexpr std::string_view kShortGit = "git~1";  // NTFS's short name of `.git`
constexpr std::string_view kReservedPrefix = ".capwright-";
constexpr std::array<std::string_view, 6> kDevices{"con", "prn", "aux", "nul", "conin$", "conout$"};

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// A table instead of a switch or a search, because every byte of every path is checked here.
constexpr auto kRefusedByWindows = [] {
  std::array<bool, 256> refused{};
  for (const char c : std::string_view("<>:\"|?*")) refused[static_cast<unsigned char>(c)] = true;
  return refused;
}();

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower;
}

// Case-folded, in normal form C, without characters that file systems ignore.
std::string folded(std::string_view text) {
  if (is_ascii(text)) return lower_ascii(text);
  constexpr auto kOptions =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  utf8proc_uint8_t* mapped = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &mapped, kOptions);
  std::string result = size < 0 ? lower_ascii(text) : std::string(reinterpret_cast<char*>(mapped), size);
  std::free(mapped);
  return result;
}

// The size of the character at the start of `text`, which isn't visible ASCII, if a path may contain it; otherwise
// negated.
int character_size(std::string_view text) {
  if (is_ascii(text.substr(0, 1))) return -1;
  utf8proc_int32_t code_point = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (size < 0) return -1;
  const auto category = utf8proc_category(code_point);
  const bool refused = category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
                       category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                       category == UTF8PROC_CATEGORY_ZP;
  return static_cast<int>(refused ? -size : size);
}

std::optional<PathFault> fault(PathRule rule, std::size_t begin, std::size_t size) {
  return PathFault{rule, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + size)};
}

std::optional<PathFault> find_text_fault(std::string_view path) {
  for (std::size_t offset = 0; offset < path.size();) {
    if (path[offset] > ' ' && path[offset] < 0x7f) {
      ++offset;
      continue;
    }
    const int size = character_size(path.substr(offset));
    if (size < 0) return fault(PathRule::Text, offset, static_cast<std::size_t>(-size));
    offset += static_cast<std::size_t>(size);
  }
  return std::nullopt;
}

bool is_git(std::string_view part) {
  if (part.front() != '.' && part.size() != kShortGit.size() && is_ascii(part)) return false;
  const std::string name = folded(part);
  return name == kGit || name == kShortGit;
}

bool is_device(std::string_view part) {
  const std::string_view stem = part.substr(0, part.find('.'));
  if (stem.size() < 3 || stem.size() > 7) return false;
  const std::string name = lower_ascii(stem);
  if (std::find(kDevices.begin(), kDevices.end(), name) != kDevices.end()) return true;
  const bool numbered = name.starts_with("com") || name.starts_with("lpt");
  return numbered && name.size() == 4 && name[3] >= '1' && name[3] <= '9';
}

std::optional<PathFault> find_part_fault(std::string_view part, std::size_t begin) {
  if (part.empty() || part == "." || part == "..") return fault(PathRule::Parts, begin, part.size());
  if (part.ends_with('.')) return fault(PathRule::Ending, begin, part.size());
  if (part.size() > kLongestPart) return fault(PathRule::Length, begin, part.size());
  if (is_git(part)) return fault(PathRule::Git, begin, part.size());
  const auto refused =
      std::find_if(part.begin(), part.end(), [](char c) { return kRefusedByWindows[static_cast<unsigned char>(c)]; });
  if (refused != part.end()) {
    return fault(PathRule::Windows, begin + static_cast<std::size_t>(refused - part.begin()), 1);
  }
  if (is_device(part)) return fault(PathRule::Windows, begin, part.size());
  if (part.front() == '.' && lower_ascii(part.substr(0, kReservedPrefix.size())) == kReservedPrefix) {
    return fault(PathRule::Reserved, begin, part.size());
  }
  return std::nullopt;
}

// Where a path leaves its required directory: the first part that differs.
std::optional<PathFault> find_outside(std::string_view path, std::string_view directory) {
  if (path.size() > directory.size() && path.starts_with(directory)) return std::nullopt;
  const auto [left, wanted] = std::mismatch(path.begin(), path.end(), directory.begin(), directory.end());
  const auto same = static_cast<std::size_t>(left - path.begin());
  const std::size_t slash = path.substr(0, same).rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t end = std::min(path.find('/', begin), path.size());
  return fault(PathRule::Cluster, begin, end - begin);
}

}  // namespace

bool has_yaml_name(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

bool has_data_name(std::string_view path) { return has_yaml_name(path) || path.ends_with(".json"); }

bool has_manifest_name(std::string_view path) { return has_data_name(path) || path.ends_with(".jsonnet"); }

std::optional<PathFault> find_path_fault(std::string_view path, std::string_view directory) {
  if (auto found = find_text_fault(path)) return found;
  if (path.starts_with('/')) return fault(PathRule::Relative, 0, 1);
  if (path.size() > 1 && is_letter(path[0]) && path[1] == ':') return fault(PathRule::Relative, 0, 2);
  const std::size_t backslash = path.find('\\');
  if (backslash != std::string_view::npos) return fault(PathRule::Slashes, backslash, 1);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (auto found = find_part_fault(path.substr(begin, end - begin), begin)) return found;
    begin = end + 1;
  }
  return find_outside(path, directory);
}

std::string folded_path(std::string_view path) {
  std::string key = folded(path);
  std::replace(key.begin(), key.end(), '/', '\x01');
  return key;
}

}  // namespace capwright
