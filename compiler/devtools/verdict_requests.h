// `capwright-dev verdicts`: validates manifests as a management cluster's API server would, for test suites.
#pragma once
#include <iosfwd>

namespace capwright::devtools {

// Reads one JSON object per line and writes one answer per line.
//
// Request: {"id":…,"content":"<YAML stream>"} and optionally "op":"update" with "old":"<YAML stream>" (the stored
// objects), "webhooks":false (validate without admission webhooks), "crds":"capo-v0.14.7" (the release that must be
// served).
//
// Answer: {"id":…,"verdict":"ok"|"reject"|"unknown-kind","errors":[{"doc":0,"path":…,"stage":…,"line":1,"message":…}]}.
int answer_verdicts(std::istream& requests, std::ostream& answers);

}  // namespace capwright::devtools
