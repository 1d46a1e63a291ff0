// What a call's result inherits from its arguments: errors, origins and taint.
#pragma once
#include "template/builtins/builtin.h"

namespace capwright::jinja {

// Whether an argument is an error that is already reported; the call then stays silent.
bool holds_error(const CallArguments&);

// An Opaque `result` with the origins and the taint of all arguments, containers with the taint alone. A text that a
// Layout function made is a secret if an argument is, for those who ask what it is; its map still tells the bytes
// apart.
Value with_lineage(Runtime&, Provenance, Value result, const CallArguments&);

}  // namespace capwright::jinja
