// SHA-256 (FIPS 180-4), the only digest that is persisted, shown or part of a name.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view bytes);

// Lower-case hexadecimal, 64 characters.
std::string to_hex(const Sha256& digest);

}  // namespace capwright
