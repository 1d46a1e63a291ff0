// Statements: opens frames around bodies, and runs the checks of Jinja2's compiler.
#include <algorithm>
#include <unordered_set>

#include "diag/catalog/limits.h"
#include "diag/catalog/template_syntax.h"
#include "template/resolve/children.h"
#include "template/resolve/resolve.h"
#include "template/resolve/resolver.h"
#include "template/resolve/symbols.h"

namespace capwright::jinja {
namespace {

// `set ns.a = …` reads the namespace before Jinja2 marks the statement's line.
void stamp_namespaces(const Expr& target, std::uint32_t line) {
  if (target.kind == NodeKind::GetAttr) const_cast<Expr&>(target).line = line;
  for_each_operand(target, [&](const Expr& item) { stamp_namespaces(item, line); });
}

}  // namespace

void Resolver::body(Body statements, Place place) {
  for (const Stmt* node : statements) {
    if (!statement(*node, place)) place.dead = true;
  }
}

bool Resolver::statement(const Stmt& node, const Place& place) {
  switch (node.kind) {
    case NodeKind::Output: output(mutable_node<Output>(node), place); return true;
    case NodeKind::For: loop(mutable_node<For>(node), place); return true;
    case NodeKind::If: branches(mutable_node<If>(node), place); return true;
    case NodeKind::Macro: macro(mutable_node<Macro>(node), place); return true;
    case NodeKind::CallBlock: call_block(mutable_node<CallBlock>(node), place); return true;
    case NodeKind::FilterBlock: filter_block(mutable_node<FilterBlock>(node), place); return true;
    case NodeKind::With: with(mutable_node<With>(node), place); return true;
    case NodeKind::Block: block_call(mutable_node<Block>(node), place); return true;
    case NodeKind::Include: include(mutable_node<Include>(node), place); return true;
    case NodeKind::Import: import(mutable_node<Import>(node), place); return true;
    case NodeKind::FromImport: import_from(mutable_node<FromImport>(node), place); return true;
    case NodeKind::Extends: return extends(mutable_node<Extends>(node), place);
    case NodeKind::Assign: assign(mutable_node<Assign>(node), place); return true;
    case NodeKind::AssignBlock: assign_block(mutable_node<AssignBlock>(node), place); return true;
    case NodeKind::Autoescape: autoescape(mutable_node<Autoescape>(node), place); return true;
    case NodeKind::Do:
      mark(node.line, place);
      expr(*static_cast<const Do&>(node).expr, place);
      return true;
    default: jump(mutable_node<Jump>(node), place); return true;
  }
}

Resolver::Place Resolver::inner(Place place) {
  place.toplevel = place.rootlevel = place.soft = false;
  return place;
}

InheritanceCheck Resolver::check(bool applies) const {
  if (!applies) return InheritanceCheck::Always;
  return surely_extends_ ? InheritanceCheck::Never : InheritanceCheck::UnlessExtended;
}

void Resolver::output(Output& node, Place place) {
  node.runs = check(place.checks_extends);
  if (node.runs == InheritanceCheck::Never) place.dead = true;
  for (const OutputPart& part : node.parts) {
    if (part.expr == nullptr) continue;
    // Jinja2 marks no line for expressions that it computes at compile time, unless the computation fails.
    const std::uint32_t line_before = line_;
    mark(part.expr->line, place);
    expr(*part.expr, place);
    if (is_computed_early(*part.expr)) line_ = line_before;
  }
}

void Resolver::loop(For& node, const Place& place) {
  Place inside = inner(place);
  if (node.recursive) {
    FunctionBuilder& function = symbols_.add_function(false);
    function.result->scope = tree_.arena.make<Scope>();  // entered for each item
    node.function = function.result;
    inside.function = &function;
    inside.in_loop = false;
  }
  if (node.filter != nullptr) loop_filter(node, inside);
  if (const Name* stored = specials_.at(&node).loop_stored; stored != nullptr && !place.dead) {
    sink_.report(diag::loop_assigned, stored->span).advise("choose another name");
  }
  mark(node.line, place);
  if (!node.recursive) expr(*node.iterable, place);
  loop_bodies(node, inside);
  if (!node.recursive) return;
  // A recursive loop is compiled to a function, which is then called with the items.
  mark(node.line, place);
  expr(*node.iterable, place);
}

void Resolver::loop_filter(For& node, const Place& inside) {
  bool pairs = false;
  const Path path = node.recursive ? Path{} : item_path(*node.iterable, symbols_, pairs);
  node.filter_target = copy_target(*node.target);
  node.filter_scope = symbols_.open(*inside.function, true).scope;
  mention_parameters(symbols_, *node.filter_target);
  mention(symbols_, *node.filter);
  mark(node.filter->line, inside);
  target(*node.filter_target, inside, {Definition::Kind::Loop});
  follow(*node.filter_target, path, pairs);
  expr(*node.filter, inside);
  symbols_.close();
}

void Resolver::loop_bodies(For& node, const Place& inside) {
  const SpecialNames& names = specials_.at(&node);
  bool pairs = false;
  const Path path = node.recursive ? Path{} : item_path(*node.iterable, symbols_, pairs);
  node.scope = symbols_.open(*inside.function).scope;
  if (node.recursive || names.loop || names.scoped_block) {
    symbols_.use(symbols_.declare({"loop", hash_text("loop"), {}}), node.loop_slot);
  }
  mention_parameters(symbols_, *node.target);
  mention(symbols_, node.body);
  target(*node.target, inside, {Definition::Kind::Loop});
  follow(*node.target, path, pairs);
  Place round = inside;
  round.in_loop = true;
  body(node.body, round);
  symbols_.close();
  if (node.otherwise.empty()) return;
  node.otherwise_scope = symbols_.open(*inside.function).scope;
  mention(symbols_, node.otherwise);
  body(node.otherwise, inside);
  symbols_.close();
}

void Resolver::branches(If& node, Place place) {
  place.soft = true;
  place.rootlevel = false;
  for (const IfBranch& branch : node.branches) {
    mark(branch.line, place);
    expr(*branch.test, place);
    const std::size_t known = log_.guards();
    log_.add_guards(*branch.test, symbols_);
    body(branch.body, place);
    log_.drop_guards(known);
  }
  body(node.otherwise, place);
}

void Resolver::macro(Macro& node, const Place& place) {
  macro_body(node, node.signature, node.body, node.function, place);
  target(*node.name, place, {Definition::Kind::Macro, place.toplevel});
  node.toplevel = place.toplevel;
}

void Resolver::call_block(CallBlock& node, const Place& place) {
  macro_body(node, node.signature, node.body, node.function, place);
  mark(node.line, place);
  keywords(node.call->arguments, true);
  expr(*node.call, place);
}

void Resolver::macro_body(Stmt& node, MacroSignature& signature, Body statements, const Function*& function,
                          const Place& place) {
  FunctionBuilder& builder = symbols_.add_function(false);
  function = builder.result;
  Place inside = inner(place);
  inside.function = &builder;
  inside.in_loop = inside.checks_extends = false;
  symbols_.open(builder);
  for (const Parameter& parameter : signature.parameters) symbols_.declare(parameter.name->id);
  declare_specials(specials_.at(&node), signature);
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.fallback != nullptr) mention(symbols_, *parameter.fallback);
    const bool faulty = parameter.name->id.text == "caller" && signature.uses_caller && parameter.fallback == nullptr;
    if (faulty && !place.dead) {
      sink_.report(diag::caller_needs_default, node.span).also(parameter.name->span, "this parameter");
    }
  }
  mention(symbols_, statements);
  mark(node.line, place);
  std::unordered_set<std::string_view> names;
  for (const Parameter& parameter : signature.parameters) {
    if (!names.insert(parameter.name->id.text).second && !place.dead) {
      fail_later(diag::duplicate_parameter, parameter.name->span, std::string(parameter.name->id.text));
    }
    target(*parameter.name, inside, {Definition::Kind::Parameter});
    if (parameter.fallback != nullptr) expr(*parameter.fallback, inside);
  }
  body(statements, inside);
  symbols_.close();
}

// `caller`, `varargs` and `kwargs` are extra parameters of a macro whose body reads them.
void Resolver::declare_specials(const SpecialNames& names, MacroSignature& signature) {
  const auto listed = [&](std::string_view name) {
    return std::any_of(signature.parameters.begin(), signature.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name->id.text == name; });
  };
  const auto declare = [&](std::string_view name, std::uint32_t& slot) {
    symbols_.use(symbols_.declare({name, hash_text(name), {}}), slot);
  };
  signature.uses_caller = names.caller;
  signature.uses_kwargs = names.kwargs && !listed("kwargs");
  signature.uses_varargs = names.varargs && !listed("varargs");
  if (names.caller && !listed("caller")) declare("caller", signature.caller_slot);
  if (signature.uses_kwargs) declare("kwargs", signature.kwargs_slot);
  if (signature.uses_varargs) declare("varargs", signature.varargs_slot);
}

void Resolver::filter_block(FilterBlock& node, const Place& place) {
  node.scope = symbols_.open(*place.function).scope;
  mention(symbols_, node.body);
  mention(symbols_, *node.filter);
  body(node.body, inner(place));
  mark(node.line, place);
  expr(*node.filter, inner(place));
  symbols_.close();
}

// The values use the outer names: a binding doesn't see the ones before it.
void Resolver::with(With& node, const Place& place) {
  if (!place.dead) node.line = line_;
  std::vector<Path> paths;
  for (const WithBinding& binding : node.bindings) {
    expr(*binding.value, place);
    paths.push_back(path_of(*binding.value, symbols_));
  }
  node.scope = symbols_.open(*place.function).scope;
  for (const WithBinding& binding : node.bindings) mention_parameters(symbols_, *binding.target);
  mention(symbols_, node.body);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    target(*node.bindings[i].target, inner(place), {Definition::Kind::With});
    follow(*node.bindings[i].target, paths[i], false);
  }
  body(node.body, inner(place));
  symbols_.close();
}

void Resolver::autoescape(Autoescape& node, const Place& place) {
  if (!place.dead) node.line = line_;
  node.scope = symbols_.open(*place.function).scope;
  mention(symbols_, *node.enabled);
  mention(symbols_, node.body);
  expr(*node.enabled, inner(place));
  body(node.body, inner(place));
  symbols_.close();
}

void Resolver::block_call(Block& node, const Place& place) {
  node.runs = check(place.toplevel && extends_so_far_ != 0);
  if (node.scoped) node.locals = locals(node);
  if (node.runs != InheritanceCheck::Never) mark(node.line, place);
}

// False after a second `extends`, which always fails.
bool Resolver::extends(Extends& node, const Place& place) {
  if (!place.toplevel && !place.dead) {
    sink_.report(diag::nested_extends, node.span).advise("move it to the start of the template");
  }
  log_.refer(TemplateReference::Kind::Extends, *node.name, false);
  node.line_of_repeat = line_;
  const bool repeated = surely_extends_;
  mark(node.line, place);
  expr(*node.name, place);
  if (place.dead) return true;
  ++extends_so_far_;
  if (place.rootlevel) surely_extends_ = true;
  return !repeated;
}

void Resolver::include(Include& node, const Place& place) {
  log_.refer(TemplateReference::Kind::Include, *node.name, node.ignore_missing);
  mark(node.line, place);
  expr(*node.name, place);
  if (node.with_context) node.locals = locals(node);
}

void Resolver::import(Import& node, const Place& place) {
  log_.refer(TemplateReference::Kind::Import, *node.name, false);
  mark(node.line, place);
  expr(*node.name, place);
  target(*node.target, place, {Definition::Kind::Import, place.toplevel});
  node.toplevel = place.toplevel;
  if (node.with_context) node.locals = locals(node);
}

void Resolver::import_from(FromImport& node, const Place& place) {
  log_.refer(TemplateReference::Kind::Import, *node.name, false);
  mark(node.line, place);
  expr(*node.name, place);
  for (const ImportedName& imported : node.names) {
    target(*imported.target, place, {Definition::Kind::Import, place.toplevel});
  }
  node.toplevel = place.toplevel;
  if (node.with_context) node.locals = locals(node);
}

std::span<const VisibleName> Resolver::locals(const Stmt& node) {
  const std::span<const VisibleName> names = symbols_.locals();
  if (symbols_.overflow() && !too_many_names_) {
    too_many_names_ = true;
    sink_.report(diag::list_too_long, node.span, Symbols::kMostListedNames)
        .note("that many names would be visible to included templates and scoped blocks");
  }
  return names;
}

void Resolver::assign(Assign& node, const Place& place) {
  const std::uint32_t line_before = line_;
  mark(node.line, place);
  target(*node.target, place, {Definition::Kind::Set, place.toplevel});
  if (!place.dead) stamp_namespaces(*node.target, line_before);
  expr(*node.value, place);
  node.toplevel = place.toplevel;
  follow(*node.target, path_of(*node.value, symbols_), false);
}

void Resolver::assign_block(AssignBlock& node, const Place& place) {
  Place inside = inner(place);
  inside.checks_extends = false;
  node.scope = symbols_.open(*place.function).scope;
  mention(symbols_, node.body);
  // Jinja2 3.1 ignores the filters' arguments and crashes on names that occur only there.
  if (node.filter != nullptr) mention(symbols_, *node.filter);
  body(node.body, inside);
  mark(node.line, place);
  if (node.filter != nullptr) expr(*node.filter, inside);
  symbols_.close();
  target(*node.target, place, {Definition::Kind::Set, place.toplevel});
  node.toplevel = place.toplevel;
}

void Resolver::jump(Jump& node, const Place& place) {
  mark(node.line, place);
  if (place.in_loop || place.dead) return;
  fail_later(diag::jump_outside_loop, node.span, node.kind == NodeKind::Break ? "break" : "continue");
}

}  // namespace capwright::jinja
