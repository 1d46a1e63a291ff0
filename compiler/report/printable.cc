// UTF-8 is decoded by hand here since the input may be anything at all.
#include "report/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace capwright::report {
namespace {

struct Decoded {
  std::uint32_t code_point;
  std::size_t size;  // 0: not UTF-8
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size == 0 || size > text.size()) return {lead, 0};
  std::uint32_t code_point = size == 1 ? lead : lead & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 0};
    code_point = code_point << 6 | (byte(i) & 0x3f);
  }
  return {code_point, size};
}

bool reorders_text(std::uint32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

bool is_control(std::uint32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029; }

// Unicode's East Asian Width W and F, and emoji, as coarse blocks: carets need no more.
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
  else fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    const std::size_t size = std::max<std::size_t>(next.size, 1);
    if (next.size == 0 || is_control(next.code_point) || reorders_text(next.code_point)) {
      append_escaped(out, next.code_point);
    } else {
      out.append(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
  return out;
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

SecretSpans::SecretSpans(std::vector<Span> spans) : spans_(std::move(spans)) { std::sort(spans_.begin(), spans_.end()); }

std::string SecretSpans::mask(std::string_view line, FileId file, std::uint32_t begin) const {
  std::string masked(line);
  const auto end = begin + static_cast<std::uint32_t>(line.size());
  for (const Span& secret : spans_) {
    if (secret.file != file || secret.end <= begin || secret.begin >= end) continue;
    const std::size_t from = std::max(secret.begin, begin) - begin, to = std::min(secret.end, end) - begin;
    for (std::size_t i = from; i < to; ++i) masked[i] = (line[i] & 0xc0) == 0x80 ? '\0' : '*';
  }
  std::erase(masked, '\0');  // continuation bytes of masked characters; NUL can't be in a parsed source
  return masked;
}

}  // namespace capwright::report
