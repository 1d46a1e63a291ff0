// Values that have no effect because patches replace what they make.
#pragma once
#include <span>

#include "patch/hidden_inputs.h"
#include "schema/schema.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Warns at each value of a layer or values file that is among `hidden`; once for a map or list all of whose values are.
// `schema` says which keys can be removed; null: all. Returns how many of the warnings a comment suppresses.
std::size_t report_hidden_values(const Value& values, std::span<const patch::HiddenInput> hidden,
                                 const schema::Schema* schema, Stage& stage);

}  // namespace capwright
