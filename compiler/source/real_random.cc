// Linux asks its generator without a file.
#include <array>
#include <cstdint>
#include <sys/random.h>

#include "source/real_system.h"

namespace capwright {

std::string real_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  constexpr const char* kDigits = "0123456789abcdef";
  std::string token;
  for (const std::uint8_t byte : bytes) {
    token += kDigits[byte >> 4];
    token += kDigits[byte & 15];
  }
  return token;
}

}  // namespace capwright
