// The errors, origins and taint that a call's result inherits from its arguments.
#pragma once
#include "template/builtins/builtin.h"

namespace capwright::jinja {

// Whether an argument is an error that is already reported; then the call reports nothing.
bool holds_error(const CallArguments&);

// Gives an Opaque `result` the origins and the taint of all arguments, and containers the taint only. A text from a
// Layout function is a secret if an argument is, for code that tests its content; its map still distinguishes the
// bytes.
Value with_lineage(Runtime&, Provenance, Value result, const CallArguments&);

}  // namespace capwright::jinja
