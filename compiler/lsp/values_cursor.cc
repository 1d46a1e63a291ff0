// Follows indentation upwards from the cursor's line.
#include "lsp/values_cursor.h"

#include <algorithm>

namespace capwright::lsp {
namespace {

// A line as far as it decides about nesting.
struct Line {
  std::size_t indent = 0;  // column of the key
  std::size_t dash = 0;    // column of the last `-` before it; only if is_item
  bool is_item = false;
  std::string_view key;  // empty: none
  bool has_colon = false;
};

Line read_line(std::string_view text) {
  Line line;
  std::size_t at = 0;
  const auto skip_spaces = [&] { at = std::min(text.find_first_not_of(' ', at), text.size()); };
  skip_spaces();
  while (text.substr(at).starts_with("- ") || text.substr(at) == "-") {
    line.dash = at;
    line.is_item = true;
    ++at;
    skip_spaces();
  }
  line.indent = at;
  if (at < text.size() && text[at] == '#') return line;
  const std::size_t colon = text.find(':', at);
  const bool ends_key = colon != std::string_view::npos && (colon + 1 == text.size() || text[colon + 1] == ' ');
  line.has_colon = ends_key;
  line.key = text.substr(at, ends_key ? colon - at : std::string_view::npos);
  return line;
}

bool is_blank(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos || text[first] == '#';
}

}  // namespace

ValuesCursor cursor_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
  const std::string_view typed = text.substr(begin, offset - begin);
  const Line own = read_line(typed);
  ValuesCursor cursor{{}, std::string(own.key), own.has_colon};
  // A line above counts if its key, or the dash of its item, is left of these columns.
  std::size_t keys = own.indent, dashes = own.indent;
  const auto enter_item = [&](std::size_t dash) {
    cursor.parents.insert(cursor.parents.begin(), "[]");
    keys = dash + 1;  // the list's key may have the dash's column
    dashes = dash;
  };
  if (own.is_item) enter_item(own.dash);
  while (begin > 0 && keys > 0) {
    const std::size_t end = begin - 1;
    begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    const std::string_view above = text.substr(begin, end - begin);
    if (is_blank(above)) continue;
    const Line line = read_line(above);
    if (line.indent < keys && line.has_colon) {
      cursor.parents.insert(cursor.parents.begin(), std::string(line.key));
      keys = dashes = line.indent;
    }
    if (line.is_item && line.dash < dashes) enter_item(line.dash);
  }
  return cursor;
}

std::size_t offset_at(std::string_view text, std::size_t line, std::size_t character, bool is_utf16) {
  std::size_t at = 0;
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  const std::size_t end = std::min(text.find('\n', at), text.size());
  if (!is_utf16) return std::min(at + character, end);
  for (std::size_t units = 0; at < end && units < character;) {
    const auto byte = static_cast<unsigned char>(text[at]);
    units += byte >= 0xf0 ? 2 : 1;  // beyond U+FFFF: two UTF-16 units
    ++at;
    while (at < end && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) ++at;
  }
  return at;
}

}  // namespace capwright::lsp
