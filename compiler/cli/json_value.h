// JSON text as a Value, for the commands that speak other projects' test protocols. Users' JSON goes through yaml/,
// which keeps places and refuses duplicates; this keeps numbers and the order of keys exactly as Python's json does.
#pragma once
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::cli {

// Error when the text is not JSON. Numbers with a point or an exponent are Floats, the others are whole, those of more
// than 64 bits included. The last of two equal keys wins.
Value json_value(std::string_view text, Arena&);

}  // namespace capwright::cli
