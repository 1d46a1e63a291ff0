// Flat keys that a wizard sends and people like to write become the one canonical shape that templates see.
// The rules are stated for users in schemas/values/README.md.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::values {

// A canonical path that the user wrote under another name: faults found later speak of what they wrote.
struct Renamed {
  std::string canonical;  // "worker_pools[0].count"
  std::string written;    // "worker_count"
};

struct Normalized {
  Value values;
  std::vector<Renamed> renamed;
};

// One layer before merging: `worker_count` becomes `worker_pools`, so that whichever layer comes later wins.
// Both in one layer is an error at both.
Value normalize_layer(Value layer, Stage&);

// The merged layers: `flavor_worker` goes into pools without a flavour, add-ons become maps, aliases become ids.
Normalized normalize(Value merged, const AddonCatalogue&, Stage&);

}  // namespace capwright::values
