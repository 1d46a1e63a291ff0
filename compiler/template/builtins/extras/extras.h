// The functions of extras.def: filters and tests beyond Jinja2's. docs/filters/extras-*.md documents them.
#pragma once
#include <string_view>

#include "template/builtins/builtin.h"
#include "template/runtime/runtime.h"

namespace capwright::jinja {

#define CW_FILTER(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#define CW_TEST(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#include "template/builtins/extras/extras.def"
#undef CW_FILTER
#undef CW_TEST

}  // namespace capwright::jinja

namespace capwright::jinja::extras {

// Conversions of values to data, for filters that write YAML or JSON and that copy parsed data.

// `value` with lazy sequences and ranges as lists. A value that isn't data (an undefined, a macro, an integer above 64
// bits) is reported, naming `filter`; then returns Error.
Value plain_data(Runtime&, std::string_view filter, const Value& value);

// A copy that can grow, with all its content marked as secret.
Value tainted_copy(Runtime&, const Value& value);

}  // namespace capwright::jinja::extras
