// YAML aliases place one node at several paths. If it is secret at one of them, it is secret at all.
#pragma once
#include <span>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::secrets {

// Returns `values` with all values tainted that come from one of the places in `secrets`.
Value taint_aliases(const Value& values, std::span<const Span> secrets, Stage& stage);

}  // namespace capwright::secrets
