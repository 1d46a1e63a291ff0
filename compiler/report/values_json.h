// Values and schemas as JSON for people: indented, keys in order, secrets redacted.
#pragma once
#include <string>

#include "value/value.h"

namespace capwright::report {

// Ends with a line break.
std::string as_pretty_json(const Value& value);

}  // namespace capwright::report
