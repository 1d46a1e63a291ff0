// A fast hash for hash tables in memory. It never reaches an output: persisted and displayed hashes use SHA-256.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace capwright {

// The first bytes of `text` as a number, the lowest first.
template <class Word>
constexpr Word word_at(const char* text) {
  Word word = 0;
  if (std::is_constant_evaluated()) {
    for (std::size_t i = sizeof(Word); i-- > 0;)
      word = static_cast<Word>(word << 8 | static_cast<unsigned char>(text[i]));
  } else {
    std::memcpy(&word, text, sizeof word);
  }
  return word;
}

// Returns 32 well-mixed bits; never 0, which marks "not computed" in Text. Reads whole words, because keys are short;
// the last word may overlap the one before it.
constexpr std::uint32_t hash_text(std::string_view text) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = size * kFactor;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 32;
  };
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) mix(word_at<std::uint64_t>(bytes + i));
    mix(word_at<std::uint64_t>(bytes + size - 8));
  } else if (size >= 4) {
    mix(word_at<std::uint32_t>(bytes) | std::uint64_t{word_at<std::uint32_t>(bytes + size - 4)} << 32);
  } else if (size > 0) {
    mix(static_cast<unsigned char>(bytes[0]) |
        static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[size / 2])) << 8 |
        static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[size - 1])) << 16);
  }
  const auto mixed = static_cast<std::uint32_t>(hash * kFactor >> 32);
  return mixed == 0 ? 1 : mixed;
}

}  // namespace capwright
