// Values of the variables of a ClusterClass, against their schemas.
#pragma once
#include <string>
#include <vector>

#include "crd/server_finding.h"
#include "value/value.h"

namespace capwright::admission {

struct VariableFault {
  crd::Reason reason;
  std::string path;
  std::string message;
};

// Why Cluster API rejects a value, in the order of its fields; empty if the schema accepts it. `path` is that of the
// value. Fields with a default may be missing. CEL rules aren't evaluated.
std::vector<VariableFault> variable_faults(const Value& value, const Value& schema, const std::string& path);

}  // namespace capwright::admission
