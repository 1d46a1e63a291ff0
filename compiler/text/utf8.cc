// Decoding, counting and cutting UTF-8 by code points.
#include "text/utf8.h"

#include "base/wide.h"

namespace capwright::utf8 {
namespace {

constexpr CodePoint kInvalid{0xFFFD, 1};

unsigned char byte_at(std::string_view text, std::size_t offset) { return static_cast<unsigned char>(text[offset]); }
bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The length in bytes of a sequence with this first byte; 0 if the byte can't be first.
std::uint32_t sequence_size(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

// The offset at or after `offset` where ASCII ends. Fast, because nearly every text is ASCII.
std::size_t ascii_before(std::string_view text, std::size_t offset) {
  while (text.size() - offset >= sizeof(Wide)) {
    const std::uint32_t first = first_of(wide_at(text.data() + offset) < 0);
    offset += first;
    if (first < sizeof(Wide)) return offset;
  }
  while (offset < text.size() && byte_at(text, offset) < 0x80) ++offset;
  return offset;
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t offset) {
  const unsigned char first = byte_at(text, offset);
  if (first < 0x80) return {first, 1};
  const std::uint32_t size = sequence_size(first);
  if (size == 0 || text.size() - offset < size) return kInvalid;
  char32_t value = first & (0xFFu >> (size + 1));
  for (std::uint32_t i = 1; i < size; ++i) {
    const unsigned char next = byte_at(text, offset + i);
    if (!is_continuation(next)) return kInvalid;
    value = value << 6 | (next & 0x3Fu);
  }
  // Lone surrogates are accepted: a Python str can hold them. Overlong forms and values past the last code point
  // aren't.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // by size
  const char32_t least = kLeast[size];
  if (value < least || value > 0x10FFFF) return kInvalid;
  return {value, size};
}

std::size_t previous(std::string_view text, std::size_t offset) {
  for (std::size_t back = 1; back <= 4 && back <= offset; ++back) {
    const std::size_t start = offset - back;
    if (!is_continuation(byte_at(text, start))) return decode(text, start).size == back ? start : offset - 1;
  }
  return offset - 1;
}

void append(std::string& out, char32_t c) {
  const auto byte = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

bool is_ascii(std::string_view text) { return ascii_before(text, 0) == text.size(); }

std::size_t first_invalid(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text, at);
    const bool surrogate = point.value >= 0xD800 && point.value <= 0xDFFF;
    if (surrogate || (point.value == kInvalid.value && point.size == kInvalid.size)) return at;
    at += point.size;
  }
  return std::string_view::npos;
}

bool is_valid(std::string_view text) { return first_invalid(text) == std::string_view::npos; }

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = ascii_before(text, i);
    count += end - i;
    i = end;
    if (i < text.size()) i += decode(text, i).size, ++count;
  }
  return count;
}

std::size_t byte_offset(std::string_view text, std::size_t index) {
  std::size_t offset = 0;
  while (index > 0 && offset < text.size()) {
    offset += decode(text, offset).size;
    --index;
  }
  return offset;
}

std::string_view slice(std::string_view text, std::size_t begin, std::size_t end) {
  if (end <= begin) return {};
  const std::string_view tail = text.substr(byte_offset(text, begin));
  return tail.substr(0, byte_offset(tail, end - begin));
}

std::u32string decode_all(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    points.push_back(point.value);
    i += point.size;
  }
  return points;
}

std::string encode_all(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t point : text) append(out, point);
  return out;
}

}  // namespace capwright::utf8
