// A line scanner that gives up early: its answers must be correct, but it needn't always have one.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "pipeline/fleet_names.h"

namespace capwright {
namespace {

constexpr std::string_view kKey = "cluster_name:";

bool is_name_byte(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; }
bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

bool is_first_level_line(std::string_view line) {
  if (line == "---" || line == "-" || line.starts_with("- ")) return true;
  const auto end = std::find_if_not(line.begin(), line.end(), is_name_byte);
  const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.begin()));
  return end != line.begin() && (rest == ":" || rest.starts_with(": "));
}

// Whether a quoted text or a flow collection may continue after the line.
bool may_be_open(std::string_view line) {
  if (line.find_first_of("\"'{}[]\\") == std::string_view::npos) return false;
  if (line.find_first_of("#\\") != std::string_view::npos) return true;
  const auto doubles = std::count(line.begin(), line.end(), '"'), singles = std::count(line.begin(), line.end(), '\'');
  int depth = 0;
  bool brackets = false;
  for (const char c : line) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    brackets = brackets || depth != 0;
    if (depth < 0) return true;
  }
  const int classes = (doubles != 0 ? 1 : 0) + (singles != 0 ? 1 : 0) + (brackets ? 1 : 0);
  return classes > 1 || doubles % 2 != 0 || singles % 2 != 0 || depth != 0;
}

// Whether the word is a string in all YAML versions.
bool is_plain_string(std::string_view word) {
  constexpr std::array<std::string_view, 9> kOthers{"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  const auto is_word = [&](std::string_view other) {
    return std::equal(word.begin(), word.end(), other.begin(), other.end(),
                      [](char a, char b) { return (a | 0x20) == b; });
  };
  return is_letter(word[0]) && std::none_of(kOthers.begin(), kOthers.end(), is_word);
}

// The name in a line that starts with the key.
std::string_view name_in(std::string_view line) {
  std::string_view value = line.substr(kKey.size());
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  const auto end = std::find_if_not(value.begin(), value.end(), [](char c) { return is_name_byte(c) || c == '.'; });
  const std::string_view name = value.substr(0, static_cast<std::size_t>(end - value.begin()));
  const std::string_view rest = value.substr(name.size());
  const bool alone = is_blank(rest.substr(0, rest.find('#'))) && !rest.starts_with('#');
  return !name.empty() && alone && is_plain_string(name) ? name : std::string_view();
}

}  // namespace

std::string_view stated_name(std::string_view text) {
  std::string_view name;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_blank(line)) continue;
    const bool indented = line[0] == ' ' || line[0] == '\t';
    if (!name.empty()) return indented ? std::string_view() : name;  // the scalar may continue
    if (line[line.find_first_not_of(" \t")] == '#') continue;
    if (may_be_open(line) || (!indented && !is_first_level_line(line))) return {};
    if (!line.starts_with(kKey)) continue;
    name = name_in(line);
    if (name.empty()) return {};
  }
  return name;
}

}  // namespace capwright
