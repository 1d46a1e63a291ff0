// `capwright dev jinja`: the template engine as other engines are compared, one case a line.
#pragma once
#include <iosfwd>

namespace capwright::cli {

// Reads cases as JSON, one a line, and answers each with one line: {"id","output"} or
// {"id","error","line","message","template"}, where `error` is syntax, undefined, notfound or runtime. The engine stops
// at the first fault, as Jinja2 does. Returns the exit code.
int dev_jinja(std::istream& cases, std::ostream& answers);

}  // namespace capwright::cli
