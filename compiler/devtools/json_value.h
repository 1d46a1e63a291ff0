// JSON text as a Value, for commands that use the test protocols of other projects. Users' JSON is read by yaml/, which
// keeps places and rejects duplicate keys; this code keeps numbers and the order of keys exactly like Python's json.
#pragma once
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::devtools {

// Returns Error if the text isn't JSON. Numbers with a point or an exponent are Floats; others are integers, including
// those of more than 64 bits. The last of two equal keys wins.
Value json_value(std::string_view text, Arena&);

}  // namespace capwright::devtools
