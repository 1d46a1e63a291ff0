// The children of a node, in the order of Jinja2's nodes: checks that look for "the first" depend on it.
#pragma once
#include "template/syntax/ast.h"

namespace capwright::jinja {

template <class Visit>
void for_each_argument(const Arguments& arguments, Visit&& visit) {
  for (const Expr* argument : arguments.positional) visit(*argument);
  for (const Keyword& keyword : arguments.keywords) visit(*keyword.value);
  if (arguments.star != nullptr) visit(*arguments.star);
  if (arguments.star_star != nullptr) visit(*arguments.star_star);
}

// visit(const Expr&) for each expression directly below `node`.
template <class Visit>
void for_each_operand(const Expr& node, Visit&& visit) {
  const auto each = [&](ListOf<Expr> items) {
    for (const Expr* item : items) visit(*item);
  };
  const auto maybe = [&](const Expr* item) {
    if (item != nullptr) visit(*item);
  };
  switch (node.kind) {
    case NodeKind::Tuple: return each(static_cast<const Tuple&>(node).items);
    case NodeKind::List: return each(static_cast<const ListLiteral&>(node).items);
    case NodeKind::Concat: return each(static_cast<const Concat&>(node).items);
    case NodeKind::Dict:
      for (const Pair& pair : static_cast<const Dict&>(node).pairs) visit(*pair.key), visit(*pair.value);
      return;
    case NodeKind::Conditional: {
      const auto& conditional = static_cast<const Conditional&>(node);
      visit(*conditional.test), visit(*conditional.then), maybe(conditional.otherwise);
      return;
    }
    case NodeKind::Filter:
      maybe(static_cast<const Filter&>(node).operand);
      return for_each_argument(static_cast<const Filter&>(node).arguments, visit);
    case NodeKind::Test:
      visit(*static_cast<const Test&>(node).operand);
      return for_each_argument(static_cast<const Test&>(node).arguments, visit);
    case NodeKind::Call:
      visit(*static_cast<const Call&>(node).callee);
      return for_each_argument(static_cast<const Call&>(node).arguments, visit);
    case NodeKind::GetItem:
      visit(*static_cast<const GetItem&>(node).object), visit(*static_cast<const GetItem&>(node).key);
      return;
    case NodeKind::GetAttr: return visit(*static_cast<const GetAttr&>(node).object);
    case NodeKind::Slice: {
      const auto& slice = static_cast<const Slice&>(node);
      maybe(slice.start), maybe(slice.stop), maybe(slice.step);
      return;
    }
    case NodeKind::Compare:
      visit(*static_cast<const Compare&>(node).first);
      for (const Comparison& comparison : static_cast<const Compare&>(node).rest) visit(*comparison.expr);
      return;
    case NodeKind::Binary:
      visit(*static_cast<const Binary&>(node).left), visit(*static_cast<const Binary&>(node).right);
      return;
    case NodeKind::And:
    case NodeKind::Or:
      visit(*static_cast<const Logical&>(node).left), visit(*static_cast<const Logical&>(node).right);
      return;
    case NodeKind::Not:
    case NodeKind::Negate:
    case NodeKind::Plus: return visit(*static_cast<const Unary&>(node).operand);
    default: return;  // names and constants; statements aren't operands
  }
}

}  // namespace capwright::jinja
