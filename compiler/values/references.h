// `${path.to.value}` inside string values: one value said once and used in many places.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `values` with every reference replaced. A string that is one reference becomes the value itself, of any type;
// otherwise scalars are spliced in as text. `$${` stands for `${`. Origins and taint follow; what others read is left
// alone: `addon_values`, and text in `addons[].values`. Unknown paths and cycles are reported at their place and give
// an error value there. An unknown path in a default goes to `of_defaults`: if the key is required, it is rather
// missing.
Value resolve_references(Value values, Stage&, Sink& of_defaults);

}  // namespace capwright::values
