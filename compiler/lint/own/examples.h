// Tests the repository's own rules on their examples.
#pragma once
#include "lint/model/cluster.h"
#include "lint/own/rule.h"

namespace capwright::lint::own {

// Returns the number of examples with an unexpected result; reports each at its place in the rule's file.
std::size_t check_examples(const Rule& rule, const Context& context, Stage& stage);

}  // namespace capwright::lint::own
