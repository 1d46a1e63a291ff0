// Checks the address ranges of a cluster's network, as far as values alone determine them.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// For valid values: `network.node_cidr`, `pod_cidrs` and `service_cidrs` must not overlap or have host bits set.
void check_ranges(const Value& values, Stage&);

}  // namespace capwright
