// Checks the raw bytes before any parser reads them: encodings and characters that YAML and JSON forbid, and shapes
// that the YAML library can't handle (it ends silently at a NUL, hangs on some directives and needs 230 bytes a
// bracket).
#pragma once
#include "yaml/reading.h"

namespace capwright::yaml {

// Checks size, encoding and characters. Returns the offset where parsers must start, which is after a byte order mark.
// Reports an error and returns npos if the text must not be parsed.
inline constexpr std::uint32_t kUnreadable = 0xffffffffu;
std::uint32_t check_bytes(Reading&);

// Checks directives and the nesting and size of bracketed collections, for YAML only. Reports and returns false.
bool check_shape(Reading&);

}  // namespace capwright::yaml
