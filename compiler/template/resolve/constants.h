// The expressions that Jinja2 computes when it compiles a template. This is observable: their line is not marked, and
// `~` of constants ignores that a part is Markup.
#pragma once
#include "template/syntax/ast.h"

namespace capwright::jinja {

// Whether the expression has a value without names, calls and filters that need the context. The computation may still
// fail; then the render repeats it.
bool is_computed_early(const Expr&);

}  // namespace capwright::jinja
