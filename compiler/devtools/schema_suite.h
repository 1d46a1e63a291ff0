// `capwright-dev jsonschema DIR`: the official JSON Schema test suite.
#pragma once
#include <iosfwd>
#include <string>

namespace capwright::devtools {

// Runs every case below `suite`/tests/<draft>/; `suite`/remotes/** are the documents of http://localhost:1234/. Prints
// a line for each file with its counts, one for each failed case, and totals. Returns the exit code: findings if a case
// fails, usage error if there is no suite.
int run_schema_suite(const std::string& suite, std::ostream& report);

}  // namespace capwright::devtools
