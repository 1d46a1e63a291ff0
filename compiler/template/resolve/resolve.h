// Resolves names to slots, and filters and tests to functions; runs the checks of Jinja2's compiler.
#pragma once
#include "diag/diag.h"
#include "template/syntax/ast.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

// Completes a parsed template: fills in everything that ast.h marks "resolved", `root`, `blocks`, `extends` and
// `references`. Errors are reported in Jinja2's order.
void resolve(Template&, Sink&);

// The expressions that Jinja2 computes when it compiles a template. This is observable: their line is not marked, and
// `~` of constants ignores that a part is Markup.

// Whether the expression has a value without names, calls and filters that need the context. The computation may still
// fail; then the render repeats it.
bool is_computed_early(const Expr&);

}  // namespace capwright::jinja
