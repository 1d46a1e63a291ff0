// The walk over a template in the order of Jinja2's code generation: assigns slots to names, functions to filters and
// tests, and to nodes the line for error reports. Errors are reported in Jinja2's order.
#pragma once
#include <functional>
#include <vector>

#include "diag/diag.h"
#include "template/builtins/builtin.h"
#include "template/resolve/special_names.h"
#include "template/resolve/symbols.h"
#include "template/resolve/value_paths.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

class Resolver {
 public:
  Resolver(Template& tree, Sink& sink);
  void run();

 private:
  // The position of the walk, as far as it affects the meaning of a statement.
  struct Place {
    FunctionBuilder* function = nullptr;
    bool toplevel = false;        // the root, and `if` there
    bool rootlevel = false;       // the root itself
    bool soft = false;            // directly in `if` or `a if b else c`: unknown filters are reported by the render
    bool dead = false;            // Jinja2 generates no code for it: no errors are reported in it
    bool checks_extends = false;  // in a template that extends another, this text is dropped
    bool in_loop = false;         // `break` is valid
  };

  // ---- statements: resolve_statements.cc ----
  void collect_blocks(Body body);
  void root();
  void block_body(Block& block);
  void body(Body statements, Place place);
  // False if nothing after the statement can run.
  bool statement(const Stmt& statement, const Place& place);
  void output(Output& node, Place place);
  void loop(For& node, const Place& place);
  void loop_filter(For& node, const Place& place);
  void loop_bodies(For& node, const Place& inside);
  void branches(If& node, Place place);
  void macro(Macro& node, const Place& place);
  void call_block(CallBlock& node, const Place& place);
  void macro_body(Stmt& node, MacroSignature& signature, Body body, const Function*& function, const Place& place);
  void declare_specials(const SpecialNames& names, MacroSignature& signature);
  void filter_block(FilterBlock& node, const Place& place);
  void with(With& node, const Place& place);
  void autoescape(Autoescape& node, const Place& place);
  void block_call(Block& node, const Place& place);
  bool extends(Extends& node, const Place& place);
  void include(Include& node, const Place& place);
  void import(Import& node, const Place& place);
  void import_from(FromImport& node, const Place& place);
  void assign(Assign& node, const Place& place);
  void assign_block(AssignBlock& node, const Place& place);
  void jump(Jump& node, const Place& place);
  std::span<const VisibleName> locals(const Stmt& node);
  InheritanceCheck check(bool applies) const;
  static Place inner(Place place);

  // ---- expressions: resolve_expressions.cc ----
  void expr(const Expr& node, const Place& place);
  // The kind of definition of a target, and whether it is also in the template's context.
  struct Defines {
    Definition::Kind kind;
    bool toplevel = false;
  };
  void target(const Expr& node, const Place& place, const Defines& defines);
  void follow(const Expr& target, const Path& path, bool pairs);
  void operands(const Expr& node, const Place& place);
  void name(Name& node, const Place& place);
  void read(const Expr& node, bool called);
  void chain(const Expr& node, const Place& place);
  void method(const Call& node, const Place& place);
  void filter(Filter& node, const Place& place);
  void test(Test& node, const Place& place);
  void call(Call& node, const Place& place);
  void logical(Logical& node, const Place& place);
  void conditional(Conditional& node, Place place);
  void guarded(const Expr& operand, bool is_guarded, const Place& place);
  const Builtin* builtin(BuiltinKind kind, const Identifier& name, const Place& place);
  // Reports repeated arguments; with `gives_caller`, only a `caller` in addition to that of `{% call %}`.
  void keywords(const Arguments& arguments, bool gives_caller);
  Expr* copy_target(const Expr& target);

  // Mutable access to nodes that the parser made for this template.
  template <class T>
  static T& mutable_node(const Node& node) {
    return const_cast<T&>(static_cast<const T&>(node));
  }
  void mark(std::uint32_t line, const Place& place) {
    if (!place.dead) line_ = line;
  }
  // Errors that Jinja2 leaves to Python's compiler, which runs on the generated code: they come after all others.
  template <class... Args>
  void fail_later(const DiagSpec<Args...>& spec, Span where, std::type_identity_t<Args>... args) {
    later_.push_back([this, &spec, where, args...] { sink_.report(spec, where, args...); });
  }

  Template& tree_;
  Sink& sink_;
  Symbols symbols_;
  ReferenceLog log_;
  SpecialNamesOf specials_;
  std::vector<const Block*> blocks_;
  std::unordered_map<std::string_view, Span> block_names_;
  std::uint32_t line_ = 1;  // the line that Jinja2 reports for the code generated now
  std::uint32_t extends_so_far_ = 0;
  bool surely_extends_ = false;  // an `extends` at root level precedes
  std::uint32_t guarded_ = 0;    // the nesting in operands whose absence is handled
  bool too_many_names_ = false;
  std::vector<std::function<void()>> later_;
};

}  // namespace capwright::jinja
