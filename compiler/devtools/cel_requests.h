// `capwright-dev cel`: evaluates the Common Expression Language for comparison with other implementations.
#pragma once
#include <iosfwd>

namespace capwright::devtools {

// Reads requests as JSON, one per line: {"expression", "self"?, "oldSelf"?, "schema"? (OpenAPI v3), "root"? (a complete
// resource)}. Answers each with one line: {"type", "value", "cost"}, {"type", "error", "at", "cost"} or {"issues"}. A
// value is tagged with its type: {"int": "3"}, {"list": […]}. Returns the exit code.
int answer_cel(std::istream& requests, std::ostream& answers);

}  // namespace capwright::devtools
