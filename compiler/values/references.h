// `${path.to.value}` inside string values: a value that is set once and used in many places.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// Returns `values` with every reference replaced. A string that is a single reference becomes the referenced value, of
// any type; otherwise scalars are inserted as text. `$${` is a literal `${`. Origins and taint are kept; text for other
// programs is unchanged: `addon_values`, and text in `addons[].values`. Unknown paths and cycles are reported at their
// place and give an error value there. An unknown path in a default goes to `of_defaults`: if the key is required, it
// is reported as missing instead.
Value resolve_references(Value values, Stage&, Sink& of_defaults);

}  // namespace capwright::values
