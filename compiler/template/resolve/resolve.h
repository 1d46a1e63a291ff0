// Resolves names to slots, and filters and tests to functions; runs the checks of Jinja2's compiler.
#pragma once
#include "diag/diag.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// Completes a parsed template: fills in everything that ast.h marks "resolved", `root`, `blocks`, `extends` and
// `references`. Errors are reported in Jinja2's order.
void resolve(Template&, Sink&);

}  // namespace capwright::jinja
