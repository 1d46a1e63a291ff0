// The type of a plain scalar under each ScalarRules; the reader uses it for types, the writer for quoting.
#pragma once
#include <cstdint>
#include <string_view>

#include "value/value.h"
#include "yaml/read.h"

namespace capwright::yaml {

// The implicit types of PyYAML's resolver; Timestamp, Merge and Equals (`=`) are read as strings, but quoted when
// dumped.
enum class PythonTag : std::uint8_t { String, Null, Bool, Int, Float, Timestamp, Merge, Equals };
PythonTag python_tag(std::string_view text);

// A whole number that doesn't fit 64 bits: it becomes a Float that has lost digits.
bool is_wide_integer(std::string_view text, ScalarRules rules);

}  // namespace capwright::yaml
