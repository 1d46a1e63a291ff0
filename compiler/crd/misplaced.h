// Finds the intended parent of a misplaced field: the usual cause is wrong indentation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "crd/program.h"

namespace capwright::crd {

// The parents of all fields called `name` below `root`, such as `spec.template.spec` or `spec.ports[]`; nearest to the
// root first. Empty if there are more than `most`: the intended one is then unclear. The status isn't searched.
std::vector<std::string> homes_of(const Node& root, std::string_view name, std::size_t most);

}  // namespace capwright::crd
