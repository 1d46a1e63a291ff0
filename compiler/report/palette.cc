// The 16 colors of ANSI, which terminals map to readable ones.
#include "report/palette.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>

namespace capwright::report {
namespace {

constexpr Palette kPlain{};
constexpr Palette kColored{.error = "\x1b[1;31m",
                           .warning = "\x1b[1;33m",
                           .note = "\x1b[1;36m",
                           .frame = "\x1b[1;34m",
                           .bold = "\x1b[1m",
                           .dim = "\x1b[2m",
                           .added = "\x1b[32m",
                           .removed = "\x1b[31m",
                           .changed = "\x1b[33m",
                           .hunk = "\x1b[36m",
                           .reset = "\x1b[0m"};

// The number of lines of `@@ -1,3 +1,4 @@` on the side of `sign`; without a number, one.
std::uint32_t lines_in_hunk(std::string_view head, char sign) {
  const std::size_t begin = head.find(sign, 2);
  const std::string_view range = head.substr(begin, head.find(' ', begin) - begin);
  const std::size_t comma = range.find(',');
  std::uint32_t count = 1;
  if (comma != std::string_view::npos) std::from_chars(&range[comma] + 1, range.data() + range.size(), count);
  return count;
}

// A hunk's removed line may begin with `---`, like the line before a file, so the lines of each hunk are counted.
class DiffPainter {
 public:
  explicit DiffPainter(const Palette& palette) : palette_(palette) {}

  std::string_view color_of(std::string_view line) {
    if (before_ != 0 || after_ != 0) return in_hunk(line);
    if (line.starts_with("@@ -")) {
      before_ = lines_in_hunk(line, '-');
      after_ = lines_in_hunk(line, '+');
      return palette_.hunk;
    }
    return line.starts_with("--- ") || line.starts_with("+++ ") ? palette_.bold : "";
  }

 private:
  std::string_view in_hunk(std::string_view line) {
    const char sign = line.empty() ? ' ' : line.front();
    if (sign == '\\') return {};  // `\ No newline at end of file`
    if (sign != '+' && sign != '-' && sign != ' ') {
      before_ = after_ = 0;  // `… and 12 more lines`
      return {};
    }
    if (sign != '+' && before_ != 0) --before_;
    if (sign != '-' && after_ != 0) --after_;
    return color_of_sign(sign, palette_);
  }

  const Palette& palette_;
  std::uint32_t before_ = 0, after_ = 0;  // the lines that the hunk still has
};

}  // namespace

const Palette& palette_of(bool color) { return color ? kColored : kPlain; }

std::string_view color_of_sign(char sign, const Palette& palette) {
  switch (sign) {
    case '+': return palette.added;
    case '-':
    case '!': return palette.removed;
    case '~': return palette.changed;
    case '=': return palette.dim;
    default: return {};
  }
}

std::string painted(std::string_view text, std::string_view color, const Palette& palette) {
  return text.empty() || color.empty() ? std::string(text) : fmt::format("{}{}{}", color, text, palette.reset);
}

std::string with_painted_sign(std::string_view line, const Palette& palette) {
  if (line.empty()) return {};
  return painted(line.substr(0, 1), color_of_sign(line.front(), palette), palette) + std::string(line.substr(1));
}

std::string painted_diff(std::string_view unified, bool color) {
  if (!color) return std::string(unified);
  DiffPainter painter(kColored);
  std::string text;
  for (std::size_t at = 0; at < unified.size();) {
    const std::size_t end = std::min(unified.find('\n', at), unified.size());
    const std::string_view line = unified.substr(at, end - at);
    text += painted(line, painter.color_of(line), kColored);
    if (end < unified.size()) text += '\n';
    at = end + 1;
  }
  return text;
}

}  // namespace capwright::report
