// The ranges of addresses in a cluster's network, as far as values alone tell that they can't work.
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// `network.node_cidr`, `pod_cidrs` and `service_cidrs` of valid values: none overlaps another, none has host bits.
void check_ranges(const Value& values, Stage&);

}  // namespace capwright
