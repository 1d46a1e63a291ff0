// SHA-256 (FIPS 180-4), the only digest that is persisted, shown or part of a name; and SHA-1 for Git.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace capwright {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view bytes);

// Lower-case hexadecimal, 64 characters.
std::string to_hex(const Sha256& digest);

// SHA-1 (FIPS 180-4), only for Git object names: SHA-1 collisions can be made, so nothing else may rely on it.

using Sha1 = std::array<std::uint8_t, 20>;

// Hashes the concatenation of the parts.
Sha1 sha1(std::initializer_list<std::string_view> parts);

}  // namespace capwright
