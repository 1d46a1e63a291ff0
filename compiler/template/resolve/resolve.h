// Names to slots, filters and tests to functions, and the checks that Jinja2 makes when it compiles.
#pragma once
#include "diag/diag.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// Completes a template whose body was parsed: fills in everything that ast.h marks "resolved", `root`, `blocks`,
// `extends` and `references`. Faults are reported in the order in which Jinja2 would meet them.
void resolve(Template&, Sink&);

}  // namespace capwright::jinja
