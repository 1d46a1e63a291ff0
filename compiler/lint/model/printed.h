// The output of one `{{ … }}` in a template: the scalar that a rule reads, or more than that.
#pragma once
#include <cstdint>
#include <string_view>

#include "value/provenance.h"

namespace capwright::lint {

// A byte range of a rendered file.
struct Printed {
  std::uint32_t begin = 0, end = 0;
};

// The contiguous output of the expression that printed the byte at `offset`: for a block of YAML that is passed
// through, including the spaces of its indentation.
Printed printed_around(const MappedText& rendered, std::uint32_t offset);

// Whether an expression printed exactly the bytes [begin, end), apart from white space around them. Quotes around the
// expression would then be the scalar's quotes.
bool prints_alone(const MappedText& rendered, std::uint32_t begin, std::uint32_t end);

}  // namespace capwright::lint
