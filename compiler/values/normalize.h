// Converts flat keys, which a wizard sends and people like to write, to the canonical form that templates see.
// schemas/values/README.md states the rules for users.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

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

}  // namespace capwright::values
