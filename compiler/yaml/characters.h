// The characters of a UTF-8 text as the writers see them.
#pragma once
#include <cstdint>
#include <string_view>

namespace capwright::yaml {

struct Character {
  char32_t code = 0;
  std::uint32_t size = 1;  // bytes
};

// The character at `offset`; the text is valid UTF-8, and a stray byte counts as one character.
inline Character character_at(std::string_view text, std::uint32_t offset) {
  const auto byte = [&](std::uint32_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(offset);
  const std::uint32_t size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (size == 1 || offset + size > text.size()) return {lead, 1};
  char32_t code = lead & (0xffu >> (size + 1));
  for (std::uint32_t i = 1; i < size; ++i) code = (code << 6) | (byte(offset + i) & 0x3fu);
  return {code, size};
}

inline std::uint32_t count_characters(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace capwright::yaml
