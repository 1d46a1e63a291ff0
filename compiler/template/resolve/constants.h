// Which expressions Jinja2 computes when it compiles a template. That shows: their line is not marked, and `~` of
// constants forgets that a part is Markup.
#pragma once
#include "template/syntax/ast.h"

namespace capwright::jinja {

// Whether the expression has a value without names, calls and filters that look at the context. Whether the
// computation succeeds is another matter: if it fails, the render does it again.
bool is_computed_early(const Expr&);

}  // namespace capwright::jinja
