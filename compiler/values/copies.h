// Secrets that stand in a second place, which nobody marked: where an alias or a reference took them from.
#pragma once
#include <string_view>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `values` with taint on each string below the key `free` that is also a secret's text somewhere. Below it no schema
// says what is secret; keys that a schema describes are what it says. Texts under eight bytes are left alone: they are
// words.
Value taint_copies(const Value& values, std::string_view free, Stage& stage);

}  // namespace capwright::values
