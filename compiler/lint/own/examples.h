// Tests of the repository's own rules: what they find in their examples.
#pragma once
#include "lint/cluster.h"
#include "lint/own/rule.h"

namespace capwright::lint::own {

// How many examples aren't as they say; each is reported at its place in the file of the rule.
std::size_t check_examples(const Rule& rule, const Context& context, Stage& stage);

}  // namespace capwright::lint::own
