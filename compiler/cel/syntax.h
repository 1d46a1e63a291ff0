// Reads expressions: their tokens, then their trees, with macros expanded.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"

namespace capwright::cel {

enum class TokenKind : std::uint8_t { End, Name, EscapedName, Int, Uint, Double, String, Bytes, Sign };

struct Token {
  TokenKind kind = TokenKind::End;
  Range where;
  std::string_view text;   // as written; of an EscapedName without its backticks
  std::string_view value;  // of String and Bytes: unescaped, in the Arena

  bool is(std::string_view sign) const { return (kind == TokenKind::Sign || kind == TokenKind::Name) && text == sign; }
};

// The tokens of an expression, with an End last; false and one issue if the text has an invalid token.
bool tokenize(std::string_view expression, Arena&, std::vector<Token>& tokens, Issue& issue);

// The tree, in the Arena; null and one issue if the text is invalid. `expression` must outlive the tree.
Expr* parse(std::string_view expression, Arena&, Issue& issue);

// Macros: calls that are expanded by the parser, such as `list.all(x, x > 0)` and `has(a.b)`.

enum class MacroUse : std::uint8_t { None, Expanded, Refused };

// Converts a Call into a Macro (or `has(a.b)` into a test of presence) if its name and arguments match one.
MacroUse expand_macro(Expr& call, Arena&, Issue& issue);

}  // namespace capwright::cel
