// SHA-1 (FIPS 180-4), by which Git names objects. For nothing else: who wants to can make two texts with one SHA-1.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace capwright {

using Sha1 = std::array<std::uint8_t, 20>;

// Of the parts, one after the other.
Sha1 sha1(std::initializer_list<std::string_view> parts);

}  // namespace capwright
