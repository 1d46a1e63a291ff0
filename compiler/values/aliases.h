// YAML aliases put one node at several places. What is secret at one of them is secret at all.
#pragma once
#include <span>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `values` with everything tainted that was read from one of the places of `secrets`.
Value taint_aliases(const Value& values, std::span<const Span> secrets, Stage& stage);

}  // namespace capwright::values
