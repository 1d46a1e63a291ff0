// What a plain scalar means under each ScalarRules; shared by the reader (its type) and the writer (must it be
// quoted?).
#pragma once
#include <cstdint>
#include <string_view>

#include "value/value.h"
#include "yaml/read.h"

namespace capwright::yaml {

// The implicit types of PyYAML's resolver; Timestamp, Merge and Equals (`=`) are strings to us, but quoted when dumped.
enum class PythonTag : std::uint8_t { String, Null, Bool, Int, Float, Timestamp, Merge, Equals };
PythonTag python_tag(std::string_view text);

// A whole number that doesn't fit 64 bits: becomes a Float that has lost digits.
bool is_wide_integer(std::string_view text, ScalarRules rules);

}  // namespace capwright::yaml
