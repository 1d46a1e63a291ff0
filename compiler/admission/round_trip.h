// What a mutating webhook does to an object by merely reading it into Go's structures and writing it again: required
// fields that are missing come out as zero values, and a conversion between versions loses empty texts.
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
  std::span<const std::string> keeps_empty = {};  // names of fields that are pointers there: an empty text stays
};

// `object` is of the kind whose schema is `root`; only its spec is looked at.
Value round_trip(const crd::Node& root, const Value& object, const RoundTrip&, Arena&);

}  // namespace capwright::admission
