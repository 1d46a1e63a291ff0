// SHA-1 (FIPS 180-4), only for Git object names: SHA-1 collisions can be made, so nothing else may rely on it.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace capwright {

using Sha1 = std::array<std::uint8_t, 20>;

// Hashes the concatenation of the parts.
Sha1 sha1(std::initializer_list<std::string_view> parts);

}  // namespace capwright
