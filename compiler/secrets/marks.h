// Secrets among values, by the schema.
#pragma once
#include "schema/schema.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::secrets {

// Returns `value` with every leaf below `x-secret: true` tainted.
Value mark_secrets(const schema::Schema&, const Value& value, Stage&);

}  // namespace capwright::secrets
