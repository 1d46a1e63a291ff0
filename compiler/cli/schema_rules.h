// What a schema asks for only in some cases, in words: "where `kubernetes_type` is `oke`: `control_plane_count` takes
// no value: Oracle runs the control plane". For the reference of values.
#pragma once
#include <string>
#include <vector>

#include "value/value.h"

namespace capwright::cli {

struct SchemaRule {
  std::string when;   // the conditions in words; empty: always
  std::string path;   // "oci.vcn.cidr"; empty: the values as a whole
  std::string takes;  // what stands there then: x-expected, or "required"
};

// The conditional rules of `part`, a parsed schema document: those below `if`, and those of `allOf` that explain
// themselves by `x-expected`. References are looked up in `definitions`, the `$defs` of the whole schema. An `if` or a
// member of `allOf` that has a `title` is told by it.
std::vector<SchemaRule> schema_rules(const Value& part, const Value& definitions);

}  // namespace capwright::cli
