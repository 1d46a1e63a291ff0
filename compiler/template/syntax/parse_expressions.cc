// Expressions by precedence, loosest first. Where Jinja2 differs from Python: `~` binds tighter than `+`, `**` is
// left-associative, and unary minus binds tighter than everything but postfix operators.
#include <array>

#include "template/syntax/parser.h"

namespace capwright::jinja {
namespace {

struct CompareToken {
  TokenKind token;
  CompareOp op;
};
constexpr std::array kCompareTokens{
    CompareToken{TokenKind::Equal, CompareOp::Equal},
    CompareToken{TokenKind::NotEqual, CompareOp::NotEqual},
    CompareToken{TokenKind::Greater, CompareOp::Greater},
    CompareToken{TokenKind::GreaterEqual, CompareOp::GreaterEqual},
    CompareToken{TokenKind::Less, CompareOp::Less},
    CompareToken{TokenKind::LessEqual, CompareOp::LessEqual},
};

}  // namespace

// expression: conditional
// Where an `if` would be ambiguous, as in a loop's iterable: only `or`
Expr* Parser::parse_expression(bool conditional) {
  const Level level(*this, "expressions");
  if (level.too_deep()) return placeholder();
  return conditional ? parse_conditional() : parse_or();
}

// conditional: or ("if" or ("else" conditional)?)*
Expr* Parser::parse_conditional() {
  Mark start = here();
  Expr* expr = parse_or();
  while (take_word("if")) {
    const Expr* test = parse_or();
    const Expr* otherwise = take_word("else") ? parse_expression() : nullptr;
    auto* node = make<Conditional>(NodeKind::Conditional, start);
    node->test = test;
    node->then = expr;
    node->otherwise = otherwise;
    hold(*node, test);
    hold(*node, expr);
    hold(*node, otherwise);
    expr = node;
    start.line = current_.line;
  }
  return expr;
}

// or: and ("or" and)*
Expr* Parser::parse_or() {
  Mark start = here();
  Expr* left = parse_and();
  while (take_word("or")) {
    left = logical(NodeKind::Or, left, parse_and(), start);
    start.line = current_.line;
  }
  return left;
}

// and: not ("and" not)*
Expr* Parser::parse_and() {
  Mark start = here();
  Expr* left = parse_not();
  while (take_word("and")) {
    left = logical(NodeKind::And, left, parse_not(), start);
    start.line = current_.line;
  }
  return left;
}

// not: "not" not | compare
Expr* Parser::parse_not() {
  if (!at_word("not")) return parse_compare();
  const Level level(*this, "expressions");
  if (level.too_deep()) return placeholder();
  const Mark start = here();
  take();
  return unary(NodeKind::Not, parse_not(), start);
}

// compare: sum (("==" | "!=" | ">" | ">=" | "<" | "<=" | "in" | "not" "in") sum)*
Expr* Parser::parse_compare() {
  Mark start = here();
  Expr* first = parse_sum();
  std::vector<Comparison> rest;
  while (const std::optional<CompareOp> op = take_compare_op()) {
    const Expr* operand = parse_sum();
    rest.push_back({*op, operand});
    start.line = current_.line;
  }
  if (rest.empty()) return first;
  auto* node = make<Compare>(NodeKind::Compare, start);
  node->first = first;
  node->rest = list(rest);
  hold(*node, first);
  for (const Comparison& operand : rest) hold(*node, operand.expr);
  return node;
}

std::optional<CompareOp> Parser::take_compare_op() {
  for (const CompareToken& candidate : kCompareTokens) {
    if (take_if(candidate.token)) return candidate.op;
  }
  if (take_word("in")) return CompareOp::In;
  if (!at_word("not") || peek().kind != TokenKind::Name || peek().text != "in") return std::nullopt;
  take();
  take();
  return CompareOp::NotIn;
}

// sum: concat (("+" | "-") concat)*
Expr* Parser::parse_sum() {
  Mark start = here();
  Expr* left = parse_concat();
  while (at(TokenKind::Add) || at(TokenKind::Subtract)) {
    const BinaryOp op = take().kind == TokenKind::Add ? BinaryOp::Add : BinaryOp::Subtract;
    left = binary(op, left, parse_concat(), start);
    start.line = current_.line;
  }
  return left;
}

// concat: product ("~" product)*
Expr* Parser::parse_concat() {
  const Mark start = here();
  Expr* first = parse_product();
  if (!at(TokenKind::Tilde)) return first;
  std::vector<const Expr*> items{first};
  while (take_if(TokenKind::Tilde)) items.push_back(parse_product());
  auto* node = make<Concat>(NodeKind::Concat, start);
  node->items = list(items);
  for (const Expr* item : items) hold(*node, item);
  return node;
}

// product: power (("*" | "/" | "//" | "%") power)*
Expr* Parser::parse_product() {
  Mark start = here();
  Expr* left = parse_power();
  while (true) {
    std::optional<BinaryOp> op;
    if (at(TokenKind::Multiply)) op = BinaryOp::Multiply;
    if (at(TokenKind::Divide)) op = BinaryOp::Divide;
    if (at(TokenKind::FloorDivide)) op = BinaryOp::FloorDivide;
    if (at(TokenKind::Modulo)) op = BinaryOp::Modulo;
    if (!op) return left;
    take();
    left = binary(*op, left, parse_power(), start);
    start.line = current_.line;
  }
}

// power: unary ("**" unary)*
Expr* Parser::parse_power() {
  Mark start = here();
  Expr* left = parse_unary(true);
  while (take_if(TokenKind::Power)) {
    left = binary(BinaryOp::Power, left, parse_unary(true), start);
    start.line = current_.line;
  }
  return left;
}

// unary: (("-" | "+") unary-without-filters | primary) postfix* filter-or-test*
Expr* Parser::parse_unary(bool with_filters) {
  const Mark start = here();
  Expr* expr = nullptr;
  if (at(TokenKind::Subtract) || at(TokenKind::Add)) {
    const Level level(*this, "expressions");
    if (level.too_deep()) return placeholder();
    const NodeKind kind = take().kind == TokenKind::Subtract ? NodeKind::Negate : NodeKind::Plus;
    expr = unary(kind, parse_unary(false), start);
  } else {
    expr = parse_primary();
  }
  expr = parse_postfix(expr, start);
  return with_filters ? parse_filters_and_tests(expr, start) : expr;
}

// postfix: "." (name | integer) | "[" subscripts "]" | arguments
Expr* Parser::parse_postfix(Expr* expr, const Mark& start) {
  while (true) {
    if (at(TokenKind::Dot)) {
      expr = parse_attribute(expr, start);
    } else if (at(TokenKind::LeftBracket)) {
      expr = parse_subscript(expr, start);
    } else if (at(TokenKind::LeftParen)) {
      expr = parse_call(expr, start);
    } else {
      return expr;
    }
  }
}

// filter-or-test: "|" filter | "is" test | arguments
Expr* Parser::parse_filters_and_tests(Expr* expr, const Mark& start) {
  while (true) {
    if (take_if(TokenKind::Pipe)) {
      expr = parse_filter(expr, start);
    } else if (at_word("is")) {
      expr = parse_test(expr, start);
    } else if (at(TokenKind::LeftParen)) {
      expr = parse_call(expr, start);
    } else {
      return expr;
    }
  }
}

Expr* Parser::binary(BinaryOp op, Expr* left, Expr* right, const Mark& start) {
  auto* node = make<Binary>(NodeKind::Binary, start);
  node->op = op;
  node->left = left;
  node->right = right;
  hold(*node, left);
  hold(*node, right);
  return node;
}

Expr* Parser::logical(NodeKind kind, Expr* left, Expr* right, const Mark& start) {
  auto* node = make<Logical>(kind, start);
  node->left = left;
  node->right = right;
  hold(*node, left);
  hold(*node, right);
  return node;
}

Expr* Parser::unary(NodeKind kind, Expr* operand, const Mark& start) {
  auto* node = make<Unary>(kind, start);
  node->operand = operand;
  hold(*node, operand);
  return node;
}

}  // namespace capwright::jinja
