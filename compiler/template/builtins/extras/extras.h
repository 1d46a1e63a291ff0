// The functions of extras.def: filters and tests beyond Jinja2's. docs/filters/extras-*.md documents them.
#pragma once
#include "template/builtins/builtin.h"

namespace capwright::jinja {

#define CW_FILTER(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#define CW_TEST(NAME, SIGNATURE, FUNCTION, PROVENANCE, OPERAND) Value FUNCTION(Runtime&, const BoundArguments&);
#include "template/builtins/extras/extras.def"
#undef CW_FILTER
#undef CW_TEST

}  // namespace capwright::jinja
