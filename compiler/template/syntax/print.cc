// Dumps a tree: compact, stable, and complete enough for tests of every parser decision.
#include <array>
#include <fmt/format.h>

#include "template/syntax/parse.h"
#include "template/syntax/quote.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

constexpr std::array<std::string_view, 8> kCompareWords{"==", "!=", ">", ">=", "<", "<=", "in", "not in"};
constexpr std::array<std::string_view, 7> kBinaryWords{"+", "-", "*", "/", "//", "%", "**"};

std::string scalar(const Constant& node) {
  if (!node.big_integer.empty()) return std::string(node.big_integer);
  switch (node.value.kind()) {
    case Kind::Null: return "none";
    case Kind::Bool: return node.value.as_bool() ? "true" : "false";
    case Kind::Int: return std::to_string(node.value.as_int());
    case Kind::Float: return python::float_repr(node.value.as_float());
    default: return quote(node.value.text());
  }
}

class TreePrinter {
 public:
  explicit TreePrinter(bool slots) : slots_(slots) {}

  std::string run(const Template& tree) {
    function(tree.root);
    body(tree.body);
    return std::move(out_);
  }

 private:
  // Prints one line, and then everything before the next `up()` below it.
  template <class... Args>
  void down(fmt::format_string<Args...> format, Args&&... args) {
    line(format, std::forward<Args>(args)...);
    ++depth_;
  }
  void up() { --depth_; }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(depth_ * 2, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  // ---- resolved ----
  static std::string place(const SlotRef& slot) {
    const std::string_view array = slot.access == NameAccess::Context ? "context" : "slot";
    if (slot.index == kNoSlot) return "nowhere";
    return slot.hops == 0 ? fmt::format("{} {}", array, slot.index)
                          : fmt::format("{} {} of {} out", array, slot.index, slot.hops);
  }
  std::string at(const SlotRef& slot) const { return slots_ ? " @ " + place(slot) : ""; }
  void scope(const Scope* scope) {
    if (!slots_ || scope == nullptr) return;
    for (const Load& load : scope->loads) {
      switch (load.kind) {
        case Load::Kind::Clear: line("enter: clear slot {}", load.slot); break;
        case Load::Kind::Copy: line("enter: slot {} = {}", load.slot, place(load.from)); break;
        case Load::Kind::Resolve: line("enter: slot {} = context `{}`", load.slot, load.name.text); break;
      }
    }
    for (const std::uint32_t slot : scope->cleared) line("leave: clear slot {}", slot);
  }
  void function(const Function* function) {
    if (!slots_ || function == nullptr) return;
    line("record: {} slots, {} context{}", function->slot_count, function->context_count,
         function->captured ? ", captured" : "");
    if (function->self_slot != kNoSlot) line("self: slot {}", function->self_slot);
    if (function->super_slot != kNoSlot) line("super: slot {}", function->super_slot);
    scope(function->scope);
  }
  void locals(std::span<const VisibleName> names) {
    if (!slots_) return;
    for (const VisibleName& visible : names) line("sees: {}{}", visible.name.text, at(visible.slot));
  }
  std::string_view toplevel(bool is) const { return slots_ && is ? " toplevel" : ""; }
  std::string_view runs(InheritanceCheck check) const {
    if (!slots_ || check == InheritanceCheck::Always) return "";
    return check == InheritanceCheck::Never ? " never" : " unless-extended";
  }

  // ---- expressions ----
  void field(std::string_view name, const Expr* node) {
    if (node == nullptr) return;
    down("{}:", name);
    expr(*node);
    up();
  }
  void exprs(ListOf<Expr> nodes) {
    for (const Expr* node : nodes) expr(*node);
  }
  void operands(std::string_view title, ListOf<Expr> nodes) {
    down("{}", title);
    exprs(nodes);
    up();
  }
  void arguments(const Arguments& arguments) {
    exprs(arguments.positional);
    for (const Keyword& keyword : arguments.keywords) field(keyword.name.text, keyword.value);
    field("*", arguments.star);
    field("**", arguments.star_star);
  }
  void expr(const Expr& node);
  void dict(const Dict& node);
  void conditional(const Conditional& node);
  void filter(const Filter& node);
  void test(const Test& node);
  void call(const Call& node);
  void item(const GetItem& node);
  void attribute(const GetAttr& node);
  void slice(const Slice& node);
  void compare(const Compare& node);
  void binary(const Binary& node);
  void logical(std::string_view title, const Logical& node);
  void unary(std::string_view title, const Unary& node);
  void name(const Name& node) { line("Name {}{}{}", node.id.text, node.store ? " (store)" : "", at(node.slot)); }

  // ---- statements ----
  void body(Body statements) {
    for (const Stmt* statement : statements) stmt(*statement);
  }
  void part(std::string_view title, Body statements) {
    if (statements.empty()) return;
    down("{}:", title);
    body(statements);
    up();
  }
  void signature(const MacroSignature& signature) {
    for (const Parameter& parameter : signature.parameters) {
      down("parameter {}{}", parameter.name->id.text, at(parameter.name->slot));
      if (parameter.fallback != nullptr) expr(*parameter.fallback);
      up();
    }
    const auto special = [&](std::string_view name, bool used, std::uint32_t slot) {
      if (slots_ && used) line("special {}{}", name, at({NameAccess::Slot, 0, slot}));
    };
    special("caller", signature.uses_caller, signature.caller_slot);
    special("varargs", signature.uses_varargs, signature.varargs_slot);
    special("kwargs", signature.uses_kwargs, signature.kwargs_slot);
  }
  void stmt(const Stmt& node);
  void output(const Output& node);
  void loop(const For& node);
  void branches(const If& node);
  void with(const With& node);
  void include(const Include& node);
  void macro(const Macro& node);
  void call_block(const CallBlock& node);
  void block(const Block& node);
  void import_from(const FromImport& node);
  void assign_block(const AssignBlock& node);

  bool slots_;
  std::size_t depth_ = 0;
  std::string out_;
};

void TreePrinter::expr(const Expr& node) {
  switch (node.kind) {
    case NodeKind::Constant: return line("Constant {}", scalar(static_cast<const Constant&>(node)));
    case NodeKind::Name: return name(static_cast<const Name&>(node));
    case NodeKind::Tuple: return operands("Tuple", static_cast<const Tuple&>(node).items);
    case NodeKind::List: return operands("List", static_cast<const ListLiteral&>(node).items);
    case NodeKind::Concat: return operands("Concat", static_cast<const Concat&>(node).items);
    case NodeKind::Dict: return dict(static_cast<const Dict&>(node));
    case NodeKind::Conditional: return conditional(static_cast<const Conditional&>(node));
    case NodeKind::Filter: return filter(static_cast<const Filter&>(node));
    case NodeKind::Test: return test(static_cast<const Test&>(node));
    case NodeKind::Call: return call(static_cast<const Call&>(node));
    case NodeKind::GetItem: return item(static_cast<const GetItem&>(node));
    case NodeKind::GetAttr: return attribute(static_cast<const GetAttr&>(node));
    case NodeKind::Slice: return slice(static_cast<const Slice&>(node));
    case NodeKind::Compare: return compare(static_cast<const Compare&>(node));
    case NodeKind::Binary: return binary(static_cast<const Binary&>(node));
    case NodeKind::And: return logical("And", static_cast<const Logical&>(node));
    case NodeKind::Or: return logical("Or", static_cast<const Logical&>(node));
    case NodeKind::Not: return unary("Not", static_cast<const Unary&>(node));
    case NodeKind::Negate: return unary("Negate", static_cast<const Unary&>(node));
    default: return unary("Plus", static_cast<const Unary&>(node));
  }
}

void TreePrinter::dict(const Dict& node) {
  down("Dict");
  for (const Pair& pair : node.pairs) {
    expr(*pair.key);
    field("value", pair.value);
  }
  up();
}

void TreePrinter::conditional(const Conditional& node) {
  down("Conditional");
  field("test", node.test);
  field("then", node.then);
  field("else", node.otherwise);
  up();
}

void TreePrinter::filter(const Filter& node) {
  down("Filter {}", node.name.text);
  if (node.operand != nullptr) expr(*node.operand);
  arguments(node.arguments);
  up();
}

void TreePrinter::test(const Test& node) {
  down("Test {}", node.name.text);
  expr(*node.operand);
  arguments(node.arguments);
  up();
}

void TreePrinter::call(const Call& node) {
  down("Call");
  expr(*node.callee);
  arguments(node.arguments);
  up();
}

void TreePrinter::item(const GetItem& node) {
  down("GetItem");
  expr(*node.object);
  expr(*node.key);
  up();
}

void TreePrinter::attribute(const GetAttr& node) {
  down("GetAttr {}{}", node.name.text, node.store ? " (store)" : "");
  expr(*node.object);
  up();
}

void TreePrinter::slice(const Slice& node) {
  down("Slice");
  field("start", node.start);
  field("stop", node.stop);
  field("step", node.step);
  up();
}

void TreePrinter::compare(const Compare& node) {
  down("Compare");
  expr(*node.first);
  for (const Comparison& comparison : node.rest) {
    field(kCompareWords[static_cast<std::size_t>(comparison.op)], comparison.expr);
  }
  up();
}

void TreePrinter::binary(const Binary& node) {
  down("Binary {}", kBinaryWords[static_cast<std::size_t>(node.op)]);
  expr(*node.left);
  expr(*node.right);
  up();
}

void TreePrinter::logical(std::string_view title, const Logical& node) {
  down("{}", title);
  expr(*node.left);
  expr(*node.right);
  up();
}

void TreePrinter::unary(std::string_view title, const Unary& node) {
  down("{}", title);
  expr(*node.operand);
  up();
}

void TreePrinter::with(const With& node) {
  down("With");
  scope(node.scope);
  for (const WithBinding& binding : node.bindings) {
    expr(*binding.target);
    field("value", binding.value);
  }
  body(node.body);
  up();
}

void TreePrinter::include(const Include& node) {
  down("Include{}{}", node.ignore_missing ? " ignore-missing" : "", node.with_context ? "" : " without-context");
  expr(*node.name);
  locals(node.locals);
  up();
}

void TreePrinter::stmt(const Stmt& node) {
  switch (node.kind) {
    case NodeKind::Output: return output(static_cast<const Output&>(node));
    case NodeKind::For: return loop(static_cast<const For&>(node));
    case NodeKind::If: return branches(static_cast<const If&>(node));
    case NodeKind::Macro: return macro(static_cast<const Macro&>(node));
    case NodeKind::CallBlock: return call_block(static_cast<const CallBlock&>(node));
    case NodeKind::Block: return block(static_cast<const Block&>(node));
    case NodeKind::FromImport: return import_from(static_cast<const FromImport&>(node));
    case NodeKind::AssignBlock: return assign_block(static_cast<const AssignBlock&>(node));
    case NodeKind::Break: return line("Break");
    case NodeKind::Continue: return line("Continue");
    case NodeKind::FilterBlock:
      down("FilterBlock");
      scope(static_cast<const FilterBlock&>(node).scope);
      expr(*static_cast<const FilterBlock&>(node).filter);
      body(static_cast<const FilterBlock&>(node).body);
      break;
    case NodeKind::With: return with(static_cast<const With&>(node));
    case NodeKind::Include: return include(static_cast<const Include&>(node));
    case NodeKind::Import: {
      const auto& import = static_cast<const Import&>(node);
      down("Import{}{}", import.with_context ? " with-context" : "", toplevel(import.toplevel));
      expr(*import.name);
      name(*import.target);
      locals(import.locals);
      break;
    }
    case NodeKind::Extends:
      down("Extends");
      expr(*static_cast<const Extends&>(node).name);
      break;
    case NodeKind::Assign:
      down("Assign{}", toplevel(static_cast<const Assign&>(node).toplevel));
      expr(*static_cast<const Assign&>(node).target);
      expr(*static_cast<const Assign&>(node).value);
      break;
    case NodeKind::Do:
      down("Do");
      expr(*static_cast<const Do&>(node).expr);
      break;
    default:
      down("Autoescape");
      scope(static_cast<const Autoescape&>(node).scope);
      expr(*static_cast<const Autoescape&>(node).enabled);
      body(static_cast<const Autoescape&>(node).body);
      break;
  }
  up();
}

void TreePrinter::output(const Output& node) {
  down("Output{}", runs(node.runs));
  for (const OutputPart& part : node.parts) {
    if (part.expr == nullptr) {
      line("Text {}", quote(part.text));
    } else {
      expr(*part.expr);
    }
  }
  up();
}

void TreePrinter::loop(const For& node) {
  down("For{}", node.recursive ? " recursive" : "");
  function(node.function);
  scope(node.scope);
  if (slots_ && node.loop_slot != kNoSlot) line("special loop @ slot {}", node.loop_slot);
  expr(*node.target);
  field("in", node.iterable);
  if (node.filter != nullptr) {
    down("if:");
    scope(node.filter_scope);
    if (slots_) expr(*node.filter_target);
    expr(*node.filter);
    up();
  }
  body(node.body);
  if (!node.otherwise.empty()) {
    down("else:");
    scope(node.otherwise_scope);
    body(node.otherwise);
    up();
  }
  up();
}

void TreePrinter::branches(const If& node) {
  down("If");
  for (const IfBranch& branch : node.branches) {
    field("test", branch.test);
    part("then", branch.body);
  }
  part("else", node.otherwise);
  up();
}

void TreePrinter::macro(const Macro& node) {
  down("Macro {}{}{}", node.name->id.text, at(node.name->slot), toplevel(node.toplevel));
  function(node.function);
  signature(node.signature);
  body(node.body);
  up();
}

void TreePrinter::call_block(const CallBlock& node) {
  down("CallBlock");
  expr(*node.call);
  function(node.function);
  signature(node.signature);
  body(node.body);
  up();
}

void TreePrinter::block(const Block& node) {
  down("Block {}{}{}{}", node.name.text, node.scoped ? " scoped" : "", node.required ? " required" : "",
       runs(node.runs));
  function(node.function);
  locals(node.locals);
  body(node.body);
  up();
}

void TreePrinter::import_from(const FromImport& node) {
  down("FromImport{}{}", node.with_context ? " with-context" : "", toplevel(node.toplevel));
  expr(*node.name);
  for (const ImportedName& imported : node.names) {
    line("{} as {}{}", imported.name.text, imported.target->id.text, at(imported.target->slot));
  }
  locals(node.locals);
  up();
}

void TreePrinter::assign_block(const AssignBlock& node) {
  down("AssignBlock{}", toplevel(node.toplevel));
  scope(node.scope);
  expr(*node.target);
  if (node.filter != nullptr) expr(*node.filter);
  body(node.body);
  up();
}

}  // namespace

std::string print_tree(const Template& tree, bool slots) { return TreePrinter(slots).run(tree); }

}  // namespace capwright::jinja
