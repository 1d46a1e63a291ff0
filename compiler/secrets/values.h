// Redacts values for display.
#pragma once
#include "base/arena.h"
#include "value/value.h"

namespace capwright::secrets {

// Returns `value` with every tainted leaf replaced by the text `<secret>`.
Value redact(const Value& value, Arena&);

}  // namespace capwright::secrets
