// Text dumps of stage results, for spec files.
#pragma once
#include <string>

#include "value/provenance.h"
#include "value/value.h"

namespace capwright::spec {

// JSON on one line, keys in order; tainted leaves as "<secret>".
std::string dump_json(const Value&);

// One line per segment: its bytes as a quoted string, the template place, the inputs' places, `literal`, `secret`.
std::string dump_segments(const MappedText&, const SourceSet&, const OriginTable&);

}  // namespace capwright::spec
