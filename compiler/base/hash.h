// A fast hash for hash tables in memory. It never reaches an output: what is persisted or shown uses SHA-256.
#pragma once
#include <cstdint>
#include <string_view>

namespace capwright {

// FNV-1a, 32 bits; never 0, which marks "not computed" in Text.
constexpr std::uint32_t hash_text(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash == 0 ? 1 : hash;
}

}  // namespace capwright
