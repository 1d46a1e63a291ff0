// Macros: calls that are expanded by the parser, such as `list.all(x, x > 0)` and `has(a.b)`.
#pragma once
#include "cel/ast.h"
#include "cel/issue.h"

namespace capwright::cel {

enum class MacroUse : std::uint8_t { None, Expanded, Refused };

// Converts a Call into a Macro (or `has(a.b)` into a test of presence) if its name and arguments match one.
MacroUse expand_macro(Expr& call, Arena&, Issue& issue);

}  // namespace capwright::cel
