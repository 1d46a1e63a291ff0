// Sixteen bytes of a text, compared in one step: the vector width that all supported processors have.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace capwright {

// A comparison with a byte gives -1 in each lane where it is true and 0 elsewhere. Bytes from 0x80 on are negative.
using Wide [[gnu::vector_size(16)]] = signed char;

// Loads sixteen bytes from `text`; all of them must be readable.
inline Wide wide_at(const char* text) {
  Wide bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

// Whether a comparison is true for any byte.
inline bool is_any(Wide compared) {
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(compared);
  return (halves[0] | halves[1]) != 0;
}

// The index of the first byte for which a comparison is true; 16 if there is none.
inline std::uint32_t first_of(Wide compared) {
  static_assert(std::endian::native == std::endian::little);
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(compared);
  if (halves[0] != 0) return static_cast<std::uint32_t>(std::countr_zero(halves[0])) / 8;
  return 8 + static_cast<std::uint32_t>(std::countr_zero(halves[1])) / 8;
}

}  // namespace capwright
