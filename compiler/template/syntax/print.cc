// The dump of a tree: compact, stable, and complete enough that a test sees every decision of the parser.
#include "template/syntax/print.h"

#include <array>
#include <fmt/format.h>

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
  // One line, and everything printed before the next `up()` below it.
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
  void arguments(const Arguments& arguments) {
    exprs(arguments.positional);
    for (const Keyword& keyword : arguments.keywords) field(keyword.name.text, keyword.value);
    field("*", arguments.star);
    field("**", arguments.star_star);
  }
  void expr(const Expr& node);
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
    case NodeKind::Constant: line("Constant {}", scalar(static_cast<const Constant&>(node))); return;
    case NodeKind::Name: name(static_cast<const Name&>(node)); return;
    case NodeKind::Tuple: down("Tuple"), exprs(static_cast<const Tuple&>(node).items); break;
    case NodeKind::List: down("List"), exprs(static_cast<const ListLiteral&>(node).items); break;
    case NodeKind::Concat: down("Concat"), exprs(static_cast<const Concat&>(node).items); break;
    case NodeKind::Dict:
      down("Dict");
      for (const Pair& pair : static_cast<const Dict&>(node).pairs) {
        expr(*pair.key);
        field("value", pair.value);
      }
      break;
    case NodeKind::Conditional: {
      const auto& conditional = static_cast<const Conditional&>(node);
      down("Conditional");
      field("test", conditional.test);
      field("then", conditional.then);
      field("else", conditional.otherwise);
      break;
    }
    case NodeKind::Filter: {
      const auto& filter = static_cast<const Filter&>(node);
      down("Filter {}", filter.name.text);
      if (filter.operand != nullptr) expr(*filter.operand);
      arguments(filter.arguments);
      break;
    }
    case NodeKind::Test: {
      const auto& test = static_cast<const Test&>(node);
      down("Test {}", test.name.text);
      expr(*test.operand);
      arguments(test.arguments);
      break;
    }
    case NodeKind::Call:
      down("Call");
      expr(*static_cast<const Call&>(node).callee);
      arguments(static_cast<const Call&>(node).arguments);
      break;
    case NodeKind::GetItem:
      down("GetItem");
      expr(*static_cast<const GetItem&>(node).object);
      expr(*static_cast<const GetItem&>(node).key);
      break;
    case NodeKind::GetAttr: {
      const auto& attribute = static_cast<const GetAttr&>(node);
      down("GetAttr {}{}", attribute.name.text, attribute.store ? " (store)" : "");
      expr(*attribute.object);
      break;
    }
    case NodeKind::Slice: {
      const auto& slice = static_cast<const Slice&>(node);
      down("Slice");
      field("start", slice.start);
      field("stop", slice.stop);
      field("step", slice.step);
      break;
    }
    case NodeKind::Compare: {
      const auto& compare = static_cast<const Compare&>(node);
      down("Compare");
      expr(*compare.first);
      for (const Comparison& comparison : compare.rest) {
        field(kCompareWords[static_cast<std::size_t>(comparison.op)], comparison.expr);
      }
      break;
    }
    case NodeKind::Binary: {
      const auto& binary = static_cast<const Binary&>(node);
      down("Binary {}", kBinaryWords[static_cast<std::size_t>(binary.op)]);
      expr(*binary.left);
      expr(*binary.right);
      break;
    }
    case NodeKind::And:
    case NodeKind::Or:
      down("{}", node.kind == NodeKind::And ? "And" : "Or");
      expr(*static_cast<const Logical&>(node).left);
      expr(*static_cast<const Logical&>(node).right);
      break;
    default:
      down("{}", node.kind == NodeKind::Not ? "Not" : node.kind == NodeKind::Negate ? "Negate" : "Plus");
      expr(*static_cast<const Unary&>(node).operand);
      break;
  }
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
    case NodeKind::With: {
      const auto& with = static_cast<const With&>(node);
      down("With");
      scope(with.scope);
      for (const WithBinding& binding : with.bindings) {
        expr(*binding.target);
        field("value", binding.value);
      }
      body(with.body);
      break;
    }
    case NodeKind::Include: {
      const auto& include = static_cast<const Include&>(node);
      down("Include{}{}", include.ignore_missing ? " ignore-missing" : "",
           include.with_context ? "" : " without-context");
      expr(*include.name);
      locals(include.locals);
      break;
    }
    case NodeKind::Import: {
      const auto& import = static_cast<const Import&>(node);
      down("Import{}{}", import.with_context ? " with-context" : "", toplevel(import.toplevel));
      expr(*import.name);
      name(*import.target);
      locals(import.locals);
      break;
    }
    case NodeKind::Extends: down("Extends"), expr(*static_cast<const Extends&>(node).name); break;
    case NodeKind::Assign:
      down("Assign{}", toplevel(static_cast<const Assign&>(node).toplevel));
      expr(*static_cast<const Assign&>(node).target);
      expr(*static_cast<const Assign&>(node).value);
      break;
    case NodeKind::Do: down("Do"), expr(*static_cast<const Do&>(node).expr); break;
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
