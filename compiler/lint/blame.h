// Which place of a finding comes first.
#pragma once
#include <cstdint>

namespace capwright::lint {

// The value that made the bytes, the template line that printed it, or the rendered line.
enum class Blame : std::uint8_t { Value, Template, Rendered };

}  // namespace capwright::lint
