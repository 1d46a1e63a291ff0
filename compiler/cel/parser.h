// Parses expressions to trees, with macros expanded into their nodes.
#pragma once
#include <string_view>

#include "cel/ast.h"

namespace capwright::cel {

// The tree, in the Arena; null and one issue if the text is invalid. `expression` must outlive the tree.
Expr* parse(std::string_view expression, Arena&, Issue& issue);

// Macros: calls that are expanded by the parser, such as `list.all(x, x > 0)` and `has(a.b)`.

enum class MacroUse : std::uint8_t { None, Expanded, Refused };

// Converts a Call into a Macro (or `has(a.b)` into a test of presence) if its name and arguments match one.
MacroUse expand_macro(Expr& call, Arena&, Issue& issue);

}  // namespace capwright::cel
