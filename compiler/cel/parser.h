// Parses expressions to trees, with macros expanded into their nodes.
#pragma once
#include <string_view>

#include "cel/ast.h"
#include "cel/issue.h"

namespace capwright::cel {

// The tree, in the Arena; null and one issue if the text is invalid. `expression` must outlive the tree.
Expr* parse(std::string_view expression, Arena&, Issue& issue);

}  // namespace capwright::cel
