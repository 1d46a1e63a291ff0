// Traverses the syntax tree of a template: all statements, and the expressions and bodies directly in one.
#pragma once
#include <set>
#include <string_view>

#include "template/resolve/children.h"
#include "template/syntax/ast.h"
#include "template/syntax/template.h"

namespace capwright::lint {

// Calls visit(Body) for each body of `node`, in source order.
template <class Visit>
void for_each_body(const jinja::Stmt& node, Visit&& visit) {
  using jinja::NodeKind;
  switch (node.kind) {
    case NodeKind::For:
      visit(static_cast<const jinja::For&>(node).body);
      return visit(static_cast<const jinja::For&>(node).otherwise);
    case NodeKind::If:
      for (const jinja::IfBranch& branch : static_cast<const jinja::If&>(node).branches) visit(branch.body);
      return visit(static_cast<const jinja::If&>(node).otherwise);
    case NodeKind::Macro: return visit(static_cast<const jinja::Macro&>(node).body);
    case NodeKind::CallBlock: return visit(static_cast<const jinja::CallBlock&>(node).body);
    case NodeKind::FilterBlock: return visit(static_cast<const jinja::FilterBlock&>(node).body);
    case NodeKind::With: return visit(static_cast<const jinja::With&>(node).body);
    case NodeKind::Block: return visit(static_cast<const jinja::Block&>(node).body);
    case NodeKind::AssignBlock: return visit(static_cast<const jinja::AssignBlock&>(node).body);
    case NodeKind::Autoescape: return visit(static_cast<const jinja::Autoescape&>(node).body);
    default: return;
  }
}

// Calls visit(const Expr&) for each expression that `node` itself evaluates; excludes assignment targets.
template <class Visit>
void for_each_expression(const jinja::Stmt& node, Visit&& visit) {
  using jinja::NodeKind;
  const auto maybe = [&](const jinja::Expr* expr) {
    if (expr != nullptr) visit(*expr);
  };
  const auto defaults = [&](const jinja::MacroSignature& signature) {
    for (const jinja::Parameter& parameter : signature.parameters) maybe(parameter.fallback);
  };
  switch (node.kind) {
    case NodeKind::Output:
      for (const jinja::OutputPart& part : static_cast<const jinja::Output&>(node).parts) maybe(part.expr);
      return;
    case NodeKind::For:
      visit(*static_cast<const jinja::For&>(node).iterable);
      return maybe(static_cast<const jinja::For&>(node).filter);
    case NodeKind::If:
      for (const jinja::IfBranch& branch : static_cast<const jinja::If&>(node).branches) visit(*branch.test);
      return;
    case NodeKind::Macro: return defaults(static_cast<const jinja::Macro&>(node).signature);
    case NodeKind::CallBlock:
      defaults(static_cast<const jinja::CallBlock&>(node).signature);
      return visit(*static_cast<const jinja::CallBlock&>(node).call);
    case NodeKind::FilterBlock: return visit(*static_cast<const jinja::FilterBlock&>(node).filter);
    case NodeKind::With:
      for (const jinja::WithBinding& binding : static_cast<const jinja::With&>(node).bindings) visit(*binding.value);
      return;
    case NodeKind::Include: return visit(*static_cast<const jinja::Include&>(node).name);
    case NodeKind::Import: return visit(*static_cast<const jinja::Import&>(node).name);
    case NodeKind::FromImport: return visit(*static_cast<const jinja::FromImport&>(node).name);
    case NodeKind::Extends: return visit(*static_cast<const jinja::Extends&>(node).name);
    case NodeKind::Assign: return visit(*static_cast<const jinja::Assign&>(node).value);
    case NodeKind::AssignBlock: return maybe(static_cast<const jinja::AssignBlock&>(node).filter);
    case NodeKind::Do: return visit(*static_cast<const jinja::Do&>(node).expr);
    case NodeKind::Autoescape: return visit(*static_cast<const jinja::Autoescape&>(node).enabled);
    default: return;
  }
}

// Calls visit(const Stmt&) for each statement, outer before inner.
template <class Visit>
void for_each_statement(jinja::Body body, Visit&& visit) {
  for (const jinja::Stmt* statement : body) {
    visit(*statement);
    for_each_body(*statement, [&](jinja::Body inside) { for_each_statement(inside, visit); });
  }
}

// Whether it is called for its side effect instead of its result: `list.append(1)`, written as `{% set x =
// list.append(1) %}` where `do` isn't available.
inline bool is_changing_call(const jinja::Expr& expr) {
  if (expr.kind != jinja::NodeKind::Call) return false;
  const jinja::Expr& callee = *static_cast<const jinja::Call&>(expr).callee;
  if (callee.kind != jinja::NodeKind::GetAttr) return false;
  const std::string_view name = static_cast<const jinja::GetAttr&>(callee).name.text;
  for (const std::string_view changing :
       {"append", "extend", "insert", "remove", "pop", "clear", "update", "setdefault"}) {
    if (name == changing) return true;
  }
  return false;
}

// The places of the names that such calls are assigned to.
inline std::set<Span> changing_sets(const jinja::Template& parsed) {
  std::set<Span> places;
  for_each_statement(parsed.body, [&](const jinja::Stmt& node) {
    if (node.kind != jinja::NodeKind::Assign) return;
    const auto& assign = static_cast<const jinja::Assign&>(node);
    if (is_changing_call(*assign.value)) places.insert(assign.target->span);
  });
  return places;
}

// Calls visit(const Expr&) for `expr` and each expression in it.
template <class Visit>
void for_each_part(const jinja::Expr& expr, Visit&& visit) {
  visit(expr);
  jinja::for_each_operand(expr, [&](const jinja::Expr& operand) { for_each_part(operand, visit); });
}

}  // namespace capwright::lint
