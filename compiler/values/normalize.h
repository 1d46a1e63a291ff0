// Converts flat keys, which a wizard sends and people like to write, to the canonical form that templates see.
// schemas/values/README.md states the rules for users.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "value/stage.h"
#include "value/value.h"
#include "values/addon_catalogue.h"

namespace capwright::values {

// A canonical path that the user wrote under another name, for messages in the user's terms.
struct Renamed {
  std::string canonical;  // "worker_pools[0].count"
  std::string written;    // "worker_count"
};

struct Normalized {
  Value values;
  std::vector<Renamed> renamed;
};

// One layer, before merging: `worker_count` becomes `worker_pools`, so that the later layer wins. Both in one layer is
// an error, reported at both.
Value normalize_layer(Value layer, Stage&);

// The merged layers: `flavor_worker` is copied to pools without a flavor, add-ons become maps, aliases become ids.
Normalized normalize(Value merged, const AddonCatalogue&, Stage&);

// `${path.to.value}` inside string values: a value that is set once and used in many places.

// Returns `values` with every reference replaced. A string that is a single reference becomes the referenced value, of
// any type; otherwise scalars are inserted as text. `$${` is a literal `${`. Origins and taint are kept; text for other
// programs is unchanged: `addon_values`, and text in `addons[].values`. Unknown paths and cycles are reported at their
// place and give an error value there. An unknown path in a default goes to `of_defaults`: if the key is required, it
// is reported as missing instead.
Value resolve_references(Value values, Stage&, Sink& of_defaults);

// Returns `part` with its references to `values` replaced; `values` itself is unchanged.
Value resolve_references_in(Value part, Value values, Stage&);

}  // namespace capwright::values
