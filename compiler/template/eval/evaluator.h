// The tree walker: one small function for each kind of expression and statement. An error is reported where it happens,
// its result is Value::error(), and evaluation continues.
#pragma once
#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "template/eval/argument_values.h"
#include "template/eval/context.h"
#include "template/eval/render.h"
#include "template/eval/running.h"
#include "template/runtime/runtime.h"
#include "template/syntax/template.h"

namespace capwright::jinja {

class Effects;
class LoopObject;
class MacroObject;
class ModuleObject;

class Evaluator final : public Runtime {
 public:
  Evaluator(const RenderInput& input, Stage& stage, RenderTrace& trace);
  // The whole render; the text is in `out`.
  void run(MappedText& out);

  // ---- calls from the objects of a running template ----
  Value call_macro(MacroObject&, const CallArguments&);
  bool print_macro(MacroObject&, const CallArguments&);
  Value call_loop(const LoopObject&, const Value& iterable);
  Value call_block(const BlockStep&, Context&);
  // The parent's block as `super`, or an undefined with the message that there is none.
  Value super_block(Context&, const BlockStep& current);

 protected:
  void explain_name(Diagnostic&, std::string_view name) override;

 private:
  friend class Capture;
  friend class Activation;
  friend class Control;
  friend class Effects;
  friend class FilteredItems;
  enum class Flow : std::uint8_t { Next, Break, Continue };

  // ---- expressions (expressions.cc, operations.cc, calls.cc) ----
  Value eval(const Expr&);
  Value eval_unchanged(const Expr&);
  Value eval_nested(const Expr&);
  Value eval_constant(const Constant&);
  Value eval_name(const Name&);
  Value eval_items(ListOf<Expr>, bool as_tuple);
  Value eval_dict(const Dict&);
  Value eval_conditional(const Conditional&);
  Value traced(const Value& chosen, const Value& condition);
  Value eval_filter(const Filter&, const Value* body);
  Value eval_test(const Test&);
  struct CallMode {
    const Value* caller = nullptr;  // of a call block
    bool prints = false;            // the result is only printed: a macro may print it itself, and then returns Error
  };
  Value eval_call(const Call&, const CallMode&);
  Value eval_attribute(const GetAttr&);
  Value eval_item(const GetItem&);
  Value eval_slice(const Value& object, const Slice&);
  Value eval_concat(const Concat&);
  Value eval_compare(const Compare&);
  Value compare_once(CompareOp, const Value& left, const Value& right);
  Value eval_decided(const Expr& chosen, const Value& condition, std::initializer_list<const Expr*> choices);
  Value eval_binary(const Binary&);
  Value eval_logical(const Logical&);
  Value eval_unary(const Unary&);
  Value look_up_attribute(const Value& object, const GetAttr&);
  Value counted(const ArgumentValues&, const Value& result);
  bool eval_arguments(const Arguments&, const Value* first, ArgumentValues&);
  bool add_star(const Expr&, ArgumentValues&);
  bool add_star_star(const Expr&, ArgumentValues&);
  // The truth of a condition; empty if evaluation failed.
  std::optional<bool> test(const Expr&, Value& value);
  std::optional<bool> test(const Value&);
  void warn_of_macro_text(const Expr& condition, const Value& value);

  // ---- statements (statements.cc, loops.cc, macros.cc, blocks.cc, templates.cc) ----
  Flow exec(Body);
  Flow exec(const Stmt&);
  Flow exec_nested(const Stmt&);
  void exec_output(const Output&);
  void warn_of_print(const Expr&, const Value&);
  Flow exec_for(const For&);
  Flow exec_if(const If&);
  void exec_macro(const Macro&);
  void exec_call_block(const CallBlock&);
  Flow exec_filter_block(const FilterBlock&);
  Flow exec_with(const With&);
  void exec_block(const Block&);
  void exec_include(const Include&);
  void exec_import(const Import&);
  void exec_from_import(const FromImport&);
  void exec_extends(const Extends&);
  void exec_assign(const Assign&);
  Flow exec_assign_block(const AssignBlock&);
  Value to_markup(const Value&);
  Flow exec_autoescape(const Autoescape&);

  void run_loop(const For&, const Value& iterable, std::int64_t depth);
  bool run_list_loop(const For&, const Value& list);
  bool run_item_loop(const For&, const Value& iterable, Iterator* items, std::int64_t depth);
  void run_recursive(const For&, Record* outer, const Value& iterable, std::int64_t depth);
  Value stored_tuple(const Expr& target);
  Flow run_round(const For&, const Value& item);
  Value make_macro(const MacroSignature&, const Name* name, Body, const Function&);
  bool place_arguments(const MacroObject&, const CallArguments&, Record&);
  bool place_rest(const MacroObject&, const CallArguments&, const KeywordsLeft&, Record&);
  void fill_parameters(const MacroSignature&);

  // ---- storing (storing.cc) ----
  bool store(const Expr& target, const Value&);
  bool unpack(const Tuple& target, const Value&);
  bool store_attribute(const GetAttr& target, const Value&);
  bool targets_are_namespaces(const Expr& target);
  void store_toplevel(const Expr& target);
  void store_toplevel(const Name& name, bool exported);
  void poison(const Expr& target);  // sets every name of the target to Error: its value is unknown

  // ---- names and records (records.cc) ----
  Value& slot(const SlotRef& ref);
  Value look_up(Context&, const Identifier& name);
  Value make_name(const Identifier& name);
  std::vector<std::string_view> names_for(Span where, bool called) const;
  // Whether the running template has executed an `extends`, after which its output is dropped.
  bool extended() const;
  bool runs(InheritanceCheck check) const {
    return check == InheritanceCheck::Always || (check == InheritanceCheck::UnlessExtended && !extended());
  }
  void enter(const Scope*);
  void leave(const Scope*);
  struct LocalRecord;
  Record& make_record(const Function&, Record* outer, Context&, LocalRecord&);
  Context& make_context(const Template&, const Layer* given, bool globals_only);
  void add_blocks(Context&, const Template&);
  Context& derived_context(std::span<const VisibleName> locals);
  const Layer* visible_names(std::span<const VisibleName> locals);
  void run_root(const Template&, Context&);
  void run_block(const BlockStep&, Context&);

  // ---- other templates (templates.cc) ----
  enum class Missing : std::uint8_t { Report, Ignore };
  const Template* find_template(const Value& name, Missing);
  const Template* select_template(const Value& names, Missing);
  ModuleObject* import_module(const Expr& name, const Stmt&, bool with_context, std::span<const VisibleName> locals);
  ModuleObject* make_module(const Template&, const Layer* given, bool globals_only);
  ModuleObject* default_module(const Template&);

  // ---- output (output.cc) ----
  void emit(const Value&, Span where);
  void emit_text(const OutputPart&);
  void emit_unaligned(const OutputPart&);
  void emit_bytes(std::string_view bytes, const Value& value, Span where);
  void append_string(const Value& string, Span where);

  // ---- frames (frames.cc) ----
  FrameId frame_for(Span call_site, const char* what, std::string_view name = {});
  FrameId known_frame(const RenderFrame& wanted, std::string_view name);
  // The current frame; in a render that traces control, a frame for the condition or loop.
  FrameId control_frame(RenderFrame::Kind kind, Span expr, const Value& decides);
  // Enters a call; false (and reported) if calls are too deep, counting `below` that aren't entered yet.
  bool enter_call(std::uint32_t below = 0);

  // ---- bodies that don't run because of an error (skipped.cc) ----
  void check_skipped(Body);

  // Every operation that can fail sets its place first.
  void stand_at(const Node& node) { stand_at(node, node.span); }
  void stand_at(const Node& node, Span span) {
    at = &node;
    here = span;
  }

  const RenderInput& input_;
  GivenValues given_;
  Record* record_ = nullptr;
  MappedText* out_ = nullptr;
  Decisions decisions_;
  // Whether printed values are escaped, as the template's text says. Runtime::autoescape is what the context says.
  bool escapes_ = false;
  OriginId tested_ = OriginId::None;  // operand of the last `is defined` and the like, if control is traced
  std::uint32_t calls_ = 0;
  std::vector<std::unique_ptr<MappedText>> buffers_;  // free buffers for reuse
  std::vector<std::pair<const Template*, ModuleObject*>> modules_;
  std::array<KnownFrame, 64> known_frames_{};
};

}  // namespace capwright::jinja
