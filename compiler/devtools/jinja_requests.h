// `capwright-dev jinja`: renders templates for comparison with other engines.
#pragma once
#include <iosfwd>

namespace capwright::devtools {

// Reads cases as JSON, one per line, and answers each with one line: {"id","output"} or
// {"id","error","line","message","template"}, where `error` is syntax, undefined, notfound or runtime. Stops at the
// first error of a case, as Jinja2 does. Returns the exit code.
int answer_jinja(std::istream& cases, std::ostream& answers);

}  // namespace capwright::devtools
