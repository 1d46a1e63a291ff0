// Parses the unified format by its line counts, so that content is never mistaken for syntax.
#include "lint/engine/changed_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace capwright::lint {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// A name in C quotes: Git uses them for names with quotes, backslashes or control characters.
std::optional<std::string> unquoted(std::string_view quoted) {
  constexpr std::string_view kLetters = "abfnrtv\"\\", kMeant = "\a\b\f\n\r\t\v\"\\";
  constexpr std::size_t kDigits = 3;
  std::string name;
  for (std::size_t at = 1; at < quoted.size(); ++at) {
    if (quoted[at] == '"') return name;
    if (quoted[at] != '\\') {
      name += quoted[at];
      continue;
    }
    if (++at >= quoted.size()) break;
    if (const std::size_t letter = kLetters.find(quoted[at]); letter != std::string_view::npos) {
      name += kMeant[letter];
      continue;
    }
    if (at + kDigits > quoted.size() || !std::all_of(&quoted[at], &quoted[at] + kDigits, is_octal)) break;
    int byte = 0;
    for (std::size_t i = 0; i < kDigits; ++i) byte = byte * 8 + (quoted[at + i] - '0');
    name += static_cast<char>(byte);
    at += kDigits - 1;
  }
  return std::nullopt;
}

// The name in `+++ b/values/a.yaml`; empty for a deleted file.
std::optional<std::string> new_path(std::string_view line) {
  std::string_view name = line.substr(std::string_view("+++ ").size());
  std::string path;
  if (name.starts_with('"')) {
    const auto plain = unquoted(name);
    if (!plain) return std::nullopt;
    path = *plain;
  } else {
    if (name.ends_with('\t')) name.remove_suffix(1);  // after names with spaces
    path = name;
  }
  if (path == "/dev/null") return "";
  return path.starts_with("b/") ? std::optional(path.substr(2)) : std::nullopt;
}

struct Hunk {
  std::uint32_t old_count = 1, new_first = 0, new_count = 1;
};

bool take_number(std::string_view& text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// "-12" or "-12,3"
bool take_range(std::string_view& text, char sign, std::uint32_t& first, std::uint32_t& count) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  if (!take_number(text, first)) return false;
  if (!text.starts_with(',')) return true;
  text.remove_prefix(1);
  return take_number(text, count);
}

// "@@ -12,3 +14 @@ …"
std::optional<Hunk> read_hunk(std::string_view line) {
  Hunk hunk;
  std::uint32_t old_first = 0;
  line.remove_prefix(std::string_view("@@ ").size());
  if (!take_range(line, '-', old_first, hunk.old_count) || !line.starts_with(' ')) return std::nullopt;
  line.remove_prefix(1);
  if (!take_range(line, '+', hunk.new_first, hunk.new_count) || !line.starts_with(" @@")) return std::nullopt;
  return hunk;
}

// Skips the lines of a hunk; returns false when there are fewer than its header says.
bool skip_lines(std::string_view& rest, const Hunk& hunk) {
  std::uint64_t left = std::uint64_t{hunk.old_count} + hunk.new_count;
  while (left != 0) {
    if (rest.empty()) return false;
    const std::string_view line = take_line(rest);
    if (line.starts_with('\\')) continue;  // "\ No newline at end of file"
    if (!line.starts_with('-') && !line.starts_with('+')) return false;
    --left;
  }
  return true;
}

}  // namespace

bool ChangedLines::add_diff(std::string_view diff) {
  Lines* lines = nullptr;
  while (!diff.empty()) {
    const std::string_view line = take_line(diff);
    if (line.starts_with("diff --git ")) {
      lines = nullptr;
    } else if (line.starts_with("+++ ")) {
      const auto path = new_path(line);
      if (!path) return false;
      lines = &lines_[*path];
    } else if (line.starts_with("@@ ")) {
      const auto hunk = read_hunk(line);
      if (!hunk || lines == nullptr || !skip_lines(diff, *hunk)) return false;
      if (hunk->new_count != 0) lines->emplace_back(hunk->new_first, hunk->new_first + hunk->new_count - 1);
    }
  }
  return true;
}

bool ChangedLines::has(std::string_view path, std::uint32_t first, std::uint32_t last) const {
  if (files_.contains(path)) return true;
  const auto found = lines_.find(path);
  if (found == lines_.end()) return false;
  const auto at = std::partition_point(found->second.begin(), found->second.end(),
                                       [&](const auto& lines) { return lines.second < first; });
  return at != found->second.end() && at->first <= last;
}

bool ChangedLines::has(std::string_view path, std::uint32_t first, std::uint32_t last,
                       const std::vector<LineChange>& since_disk) const {
  if (files_.contains(path)) return true;
  std::int64_t shift = 0;  // from linted lines to lines on disk
  for (const LineChange& change : since_disk) {
    if (change.new_begin >= last) break;
    if (change.new_end >= first && change.new_begin != change.new_end) return true;
    shift = std::int64_t{change.old_end} - change.new_end;
  }
  const auto moved = [&](std::uint32_t line) { return static_cast<std::uint32_t>(line + shift); };
  return has(path, moved(first), moved(last));
}

}  // namespace capwright::lint
