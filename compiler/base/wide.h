// Sixteen bytes of a text at once: what all processors that we build for can compare in one step.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace capwright {

// Compared with a byte it has -1 in each place where that is true, and 0 in others. Bytes from 0x80 on are negative.
using Wide [[gnu::vector_size(16)]] = signed char;

// The bytes at `text`, which must have so many.
inline Wide wide_at(const char* text) {
  Wide bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

// Whether a comparison is true of any byte.
inline bool is_any(Wide compared) {
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(compared);
  return (halves[0] | halves[1]) != 0;
}

// The number of the first byte that a comparison is true of; 16 when there is none.
inline std::uint32_t first_of(Wide compared) {
  static_assert(std::endian::native == std::endian::little);
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(compared);
  if (halves[0] != 0) return static_cast<std::uint32_t>(std::countr_zero(halves[0])) / 8;
  return 8 + static_cast<std::uint32_t>(std::countr_zero(halves[1])) / 8;
}

}  // namespace capwright
