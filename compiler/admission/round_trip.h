// The side effects of a mutating webhook that decodes an object into Go's structures and encodes it again: missing
// required fields become zero values, and a conversion between versions drops empty texts.
#pragma once
#include <span>
#include <string>

#include "base/arena.h"
#include "crd/program.h"
#include "value/value.h"

namespace capwright::admission {

struct RoundTrip {
  bool fills_required = false;
  bool drops_empty = false;
  std::span<const std::string> keeps_empty = {};  // names of fields that are pointers: an empty text is kept
};

// `object` is of the kind whose schema is `root`; only its spec is changed.
Value round_trip(const crd::Node& root, const Value& object, const RoundTrip&, Arena&);

}  // namespace capwright::admission
