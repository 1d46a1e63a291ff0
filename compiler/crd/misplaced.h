// Where a field belongs that stands where none of its name is known: the usual slip of indentation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "crd/program.h"

namespace capwright::crd {

// The parents of all fields called `name` below `root`, such as `spec.template.spec` or `spec.ports[]`; what is nearer
// to the root comes first. Empty when there are more than `most`: then nothing can be said. The status isn't searched.
std::vector<std::string> homes_of(const Node& root, std::string_view name, std::size_t most);

}  // namespace capwright::crd
