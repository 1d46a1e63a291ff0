// The input may have any bytes, including invalid UTF-8 and halves of surrogate pairs.
#include "report/printable.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include "text/utf8.h"

namespace capwright::report {
namespace {

struct Decoded {
  std::uint32_t code_point;
  std::size_t size;  // 0: not UTF-8
};

Decoded decode(std::string_view text) {
  const utf8::CodePoint next = utf8::decode(text, 0);
  const bool is_byte = next.value == 0xfffd && next.size == 1;
  if (is_byte) return {static_cast<unsigned char>(text[0]), 0};
  return {next.value, next.size};
}

bool reorders_text(std::uint32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

bool is_control(std::uint32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029; }

// Invisible code points: noncharacters, which XML doesn't allow either, tags, and a byte order mark inside a text.
bool is_unseen(std::uint32_t c) {
  return (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

bool is_surrogate(std::uint32_t c) { return c >= 0xd800 && c <= 0xdfff; }

// Unicode's East Asian Width W and F, and emoji, as coarse blocks: precise enough for carets.
bool is_wide(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

bool is_combining(std::uint32_t c) { return (c >= 0x300 && c <= 0x36f) || c == 0x200b || c == 0x200d || c == 0xfe0f; }

void append_escaped(std::string& out, std::uint32_t c) {
  if (c == '\n') out += "\\n";
  else if (c == '\t') out += "\\t";
  else if (c == '\r') out += "\\r";
  else if (c < 0x100) fmt::format_to(std::back_inserter(out), "\\x{:02x}", c);
  else if (c < 0x10000) fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
  else fmt::format_to(std::back_inserter(out), "\\U{:08x}", c);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    append_printable(out, text.substr(0, end));
    out += '\n';
    text.remove_prefix(end + 1);
  }
  append_printable(out, text);
  return out;
}

void append_printable(std::string& out, std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) {
    out.append(text);
    return;
  }
  while (!text.empty()) {
    const Decoded next = decode(text);
    const std::size_t size = std::max<std::size_t>(next.size, 1);
    const std::uint32_t c = next.code_point;
    if (next.size == 0 || is_control(c) || reorders_text(c) || is_unseen(c) || is_surrogate(c)) {
      append_escaped(out, c);
    } else {
      out.append(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.size == 0 || !is_combining(next.code_point)) width += next.size != 0 && is_wide(next.code_point) ? 2 : 1;
    text.remove_prefix(std::max<std::size_t>(next.size, 1));
  }
  return width;
}

}  // namespace capwright::report
