// What a call's result inherits from its arguments: errors, origins and taint.
#pragma once
#include "template/runtime/runtime.h"

namespace capwright::jinja {

// Whether an argument is an error that is already reported; the call then stays silent.
bool holds_error(const CallArguments&);

// A scalar or object `result` with the origins and the taint of all arguments; containers keep what their items have.
Value with_lineage(Runtime&, Value result, const CallArguments&);

}  // namespace capwright::jinja
