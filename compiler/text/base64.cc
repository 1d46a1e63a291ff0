// Groups of three bytes as four digits.
#include "text/base64.h"

#include <algorithm>

namespace capwright {

std::string to_base64(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += j <= count ? alphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

}  // namespace capwright
