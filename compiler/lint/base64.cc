// The check is the API server's.
#include "lint/base64.h"

#include <cstdint>

#include "crd/format.h"

namespace capwright::lint {

std::optional<std::string> from_base64(std::string_view text) {
  if (crd::first_base64_fault(text) != std::string_view::npos) return std::nullopt;
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

}  // namespace capwright::lint
