// The conditional rules of a schema in words: "where `kubernetes_type` is `oke`: `control_plane_count` takes no value:
// Oracle runs the control plane". For the reference of values.
#pragma once
#include <string>
#include <vector>

#include "value/value.h"

namespace capwright::devtools {

struct SchemaRule {
  std::string when;   // the conditions in words; empty: always
  std::string path;   // "oci.vcn.cidr"; empty: the values as a whole
  std::string takes;  // the accepted values: x-expected, or "required"
};

// The conditional rules of `part`, a parsed schema document: those below `if`, and members of `allOf` with an
// `x-expected`. Resolves references in `definitions`, the `$defs` of the complete schema. A `title` of an `if` or a
// member of `allOf` replaces the generated words.
std::vector<SchemaRule> schema_rules(const Value& part, const Value& definitions);

}  // namespace capwright::devtools
