// x-kubernetes-validations: the CEL rules of a schema, run on a value.
#pragma once
#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// Evaluates the rules of the node and of all nodes below it, within the server's budget for one object.
void check_rules(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
