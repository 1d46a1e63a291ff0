// Which place of a finding is shown first.
#pragma once
#include <cstdint>

namespace capwright::lint {

// The value that produced the bytes, the template line that printed it, or the rendered line.
enum class Blame : std::uint8_t { Value, Template, Rendered };

}  // namespace capwright::lint
