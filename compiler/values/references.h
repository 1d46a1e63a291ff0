// `${path.to.value}` inside string values: one value said once and used in many places.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `values` with every reference replaced. A string that is one reference becomes the value itself, of any type;
// otherwise scalars are spliced in as text. `$${` stands for `${`. Origins and taint follow; `addon_values` is raw text
// of others and left alone. Unknown paths and cycles are reported at their place and give an error value there.
Value resolve_references(Value values, Stage&);

}  // namespace capwright::values
