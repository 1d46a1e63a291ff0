// Comments that take findings back are looked at themselves: unused ones, and those without reason or out of date.
#pragma once
#include <vector>

#include "lint/linter.h"

namespace capwright::lint {

// To be called when all clusters have been linted.
std::vector<Finding> check_suppressions(const Linter& linter, const Fleet& fleet);

}  // namespace capwright::lint
