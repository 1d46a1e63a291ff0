// The tasks of `capwright-dev` for the test protocols of other projects, and for inspection. Each returns its
// exit code.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/console.h"

namespace capwright::devtools {

// `cel` evaluates the Common Expression Language.
//
// Reads requests as JSON, one per line: {"expression", "self"?, "oldSelf"?, "schema"? (OpenAPI v3), "root"? (a complete
// resource)}. Answers each with one line: {"type", "value", "cost"}, {"type", "error", "at", "cost"} or {"issues"}. A
// value is tagged with its type: {"int": "3"}, {"list": […]}.
int answer_cel(std::istream& requests, std::ostream& answers);

// `jinja` renders templates.
//
// Reads cases as JSON, one per line, and answers each with one line: {"id","output"} or
// {"id","error","line","message","template"}, where `error` is syntax, undefined, notfound or runtime. Stops at the
// first error of a case, as Jinja2 does.
int answer_jinja(std::istream& cases, std::ostream& answers);

// `verdicts` validates manifests as a management cluster's API server would.
//
// Reads one JSON object per line and writes one answer per line.
//
// Request: {"id":…,"content":"<YAML stream>"} and optionally "op":"update" with "old":"<YAML stream>" (the stored
// objects), "webhooks":false (validate without admission webhooks), "crds":"capo-v0.14.7" (the release that must be
// served).
//
// Answer: {"id":…,"verdict":"ok"|"reject"|"unknown-kind","errors":[{"doc":0,"path":…,"stage":…,"line":1,"message":…}]}.
int answer_verdicts(std::istream& requests, std::ostream& answers);

// `jsonschema` runs the official JSON Schema test suite.
//
// Runs every case below `suite`/tests/<draft>/; `suite`/remotes/** are the documents of http://localhost:1234/. Prints
// a line for each file with its counts, one for each failed case, and totals. The exit code is that of findings if a
// case fails, and that of a usage error without a suite.
int run_schema_suite(const std::string& suite, std::ostream& report);

// `git` prints a repository as compiler/git reads it. `arguments`: a task and its operands.
int run_git_task(const std::vector<std::string>& arguments, cli::Console& console);

}  // namespace capwright::devtools
