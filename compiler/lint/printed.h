// What one `{{ … }}` of a template has printed: the scalar that a rule looks at, or more than that.
#pragma once
#include <cstdint>
#include <string_view>

#include "value/provenance.h"

namespace capwright::lint {

// Bytes of a rendered file.
struct Printed {
  std::uint32_t begin = 0, end = 0;
};

// All that the expression printed which made the byte at `offset`, as far as it stands in one piece: a block of YAML
// that is handed through, with the spaces of its indentation.
Printed printed_around(const MappedText& rendered, std::uint32_t offset);

// Whether it printed the bytes [begin, end) and, but for white space around them, nothing else. Quotes around the
// expression would then be quotes of the scalar.
bool prints_alone(const MappedText& rendered, std::uint32_t begin, std::uint32_t end);

}  // namespace capwright::lint
