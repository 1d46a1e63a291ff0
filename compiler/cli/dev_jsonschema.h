// `capwright dev jsonschema DIR`: the official JSON Schema test suite.
#pragma once
#include <iosfwd>
#include <string>

namespace capwright::cli {

// Runs every case below `suite`/tests/<draft>/; `suite`/remotes/** are the documents of http://localhost:1234/.
// Prints a line for each file with its counts, one for each case that fails, and sums. Returns the exit code: findings
// when a case fails, usage error when there is no suite.
int dev_jsonschema(const std::string& suite, std::ostream& report);

}  // namespace capwright::cli
