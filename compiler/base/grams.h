// Hashes four bytes of a text to a small number. Bit sets of these numbers exclude most positions before a comparison.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace capwright {

inline constexpr std::size_t kGram = 4;  // bytes

// Hashes the bytes at `text`; the result is below 1 << `bits`.
inline std::size_t gram_at(const char* text, unsigned bits) {
  std::uint32_t bytes = 0;
  static_assert(sizeof bytes == kGram);
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes * 0x9e3779b1U >> (32 - bits);
}

}  // namespace capwright
