// A digest for comparing texts across a fleet without keeping them. Never part of an output.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace capwright::lint {

// FNV-1a, 64 bits; `{"a", "b"}` and `{"ab"}` differ.
constexpr std::uint64_t digest_of(std::initializer_list<std::string_view> parts) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  std::uint64_t digest = 14695981039346656037u;
  for (const std::string_view part : parts) {
    for (const char c : part) digest = (digest ^ static_cast<unsigned char>(c)) * kPrime;
    digest = (digest ^ 0xff) * kPrime;  // a byte that no text contains
  }
  return digest;
}

}  // namespace capwright::lint
