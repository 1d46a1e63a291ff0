// Converts values to data: for writing as YAML or JSON, and copies of parsed data.
#pragma once
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja::extras {

// `value` with lazy sequences and ranges as lists. A value that isn't data (an undefined, a macro, an integer above 64
// bits) is reported, naming `filter`; then returns Error.
Value plain_data(Runtime&, std::string_view filter, const Value& value);

// A copy that can grow, with all its content marked as secret.
Value tainted_copy(Runtime&, const Value& value);

}  // namespace capwright::jinja::extras
