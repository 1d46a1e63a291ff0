// What is refused before any parser sees the text: encodings and characters that YAML and JSON forbid, and shapes that
// the YAML library can't bear (it ends silently at a NUL, hangs on some directives and needs 230 bytes a bracket).
#pragma once
#include "yaml/reading.h"

namespace capwright::yaml {

// Size, encoding and characters. Removes a byte order mark at the start from `offset_of_text`'s point of view: the
// parsers begin at the returned offset. Reports and returns npos when the text must not be read.
inline constexpr std::uint32_t kUnreadable = 0xffffffffu;
std::uint32_t check_bytes(Reading&);

// Directives and the nesting and size of bracketed collections, for YAML only. Reports and returns false.
bool check_shape(Reading&);

}  // namespace capwright::yaml
