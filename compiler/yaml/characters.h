// Iterates over the characters of a UTF-8 text, and encodes them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright::yaml {

// A set of ASCII characters with a fast membership test.
class CharacterSet {
 public:
  constexpr explicit CharacterSet(std::string_view members) {
    for (const char c : members) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }

 private:
  std::array<bool, 256> has_{};
};

struct Character {
  char32_t code = 0;
  std::uint32_t size = 1;  // bytes
};

// The character at `offset`. The text is valid UTF-8; a stray byte counts as one character.
inline Character character_at(std::string_view text, std::uint32_t offset) {
  const auto byte = [&](std::uint32_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(offset);
  std::uint32_t size = 1;
  if (lead >= 0xc0) size = 2u + (lead >= 0xe0) + (lead >= 0xf0);
  if (size == 1 || offset + size > text.size()) return {lead, 1};
  char32_t code = lead & (0xffu >> (size + 1));
  for (std::uint32_t i = 1; i < size; ++i) code = (code << 6) | (byte(offset + i) & 0x3fu);
  return {code, size};
}

inline void append_utf8(std::string& text, char32_t code) {
  const auto c = static_cast<std::uint32_t>(code);
  const auto byte = [&](std::uint32_t b) { text += static_cast<char>(b); };
  const auto rest = [&](std::uint32_t shift) { byte(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0 | (c >> 6)), rest(0);
  } else if (c < 0x10000) {
    byte(0xe0 | (c >> 12)), rest(6), rest(0);
  } else {
    byte(0xf0 | (c >> 18)), rest(12), rest(6), rest(0);
  }
}

// The start of `text`: at most `most` bytes, cut between characters.
inline std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

inline std::uint32_t count_characters(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace capwright::yaml
