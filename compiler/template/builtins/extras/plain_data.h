// Values as data: what can be written as YAML or JSON, and copies of what was read.
#pragma once
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja::extras {

// `value` with lazy sequences and ranges as lists. What is no data (an undefined, a macro, an integer above 64 bits) is
// reported, naming `filter`; then Error.
Value plain_data(Runtime&, std::string_view filter, const Value& value);

// A copy that can grow, with all that it holds marked as secret.
Value tainted_copy(Runtime&, const Value& value);

}  // namespace capwright::jinja::extras
