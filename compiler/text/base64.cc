// Encodes groups of three bytes as four digits, and decodes them.
#include "text/base64.h"

#include <algorithm>
#include <cstdint>

namespace capwright {
namespace {

// 0 to 63; -1 for a character that isn't a digit. The alphabets differ in their last two digits.
int digit_of(char c, std::string_view alphabet) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == alphabet[62]) return 62;
  if (c == alphabet[63]) return 63;
  return -1;
}

}  // namespace

std::string to_base64(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += j <= count ? alphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text, std::string_view alphabet) {
  if (first_base64_fault(text, alphabet) != std::string_view::npos) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0, count = 0;  // of digits that don't form a whole byte yet
  for (const char c : text) {
    const int digit = digit_of(c, alphabet);
    if (digit < 0) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

std::size_t first_base64_fault(std::string_view text, std::string_view alphabet) {
  std::size_t count = 0;  // digits of the current group of four
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n' || c == '\r') continue;
    if (digit_of(c, alphabet) >= 0) {
      count = (count + 1) % 4;
      continue;
    }
    if (c != '=' || count < 2) return at;
    const std::size_t next = text.find_first_not_of("\r\n", at + 1);
    const std::size_t end = count == 3 ? at : next;
    if (count == 2 && (next == std::string_view::npos || text[next] != '='))
      return next == std::string_view::npos ? text.size() : next;
    return text.find_first_not_of("\r\n", end + 1);
  }
  return count == 0 ? std::string_view::npos : text.size();
}

}  // namespace capwright
