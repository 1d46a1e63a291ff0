// The schema with which an editor checks one file of values, as it is written.
#pragma once
#include <cstdint>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::values {

enum class ValuesFile : std::uint8_t {
  Cluster,  // a cluster's own file: `cluster_name` is required
  Layer,    // nothing is required
};

// Rewrites the effective schema (merge_schemas()) for a file before merging, normalization and defaults. Each value may
// also be a `${reference}` or encrypted by sops, and null where it deletes what a lower layer sets. Rules between
// values are left out, because other layers can set them; only items of lists are complete. `flat`: the schema of the
// flat keys.
Value editor_schema(const Value& effective, const Value& flat, ValuesFile, Arena&);

}  // namespace capwright::values
