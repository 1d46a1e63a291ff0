// Macros: calls that are syntax, such as `list.all(x, x > 0)` and `has(a.b)`.
#pragma once
#include "cel/ast.h"
#include "cel/issue.h"

namespace capwright::cel {

enum class MacroUse : std::uint8_t { None, Expanded, Refused };

// Turns a Call into a Macro (or `has(a.b)` into a test of presence) when its name and arguments are those of one.
MacroUse expand_macro(Expr& call, Arena&, Issue& issue);

}  // namespace capwright::cel
