// Statements that need only their body and their expressions.
#include <fmt/format.h>

#include "base/check.h"
#include "diag/catalog/template_operations.h"
#include "template/eval/activation.h"
#include "template/eval/control.h"
#include "template/eval/evaluator.h"

namespace capwright::jinja {

Evaluator::Flow Evaluator::exec(Body body) {
  for (const Stmt* statement : body) {
    if (stopped()) return Flow::Next;
    const Flow flow = exec(*statement);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Evaluator::Flow Evaluator::exec(const Stmt& statement) {
  if (statement.kind == NodeKind::Output) {
    exec_output(static_cast<const Output&>(statement));
    return Flow::Next;
  }
  const Nesting level(*this, "statements");
  return level.fits() ? exec_nested(statement) : Flow::Next;
}

Evaluator::Flow Evaluator::exec_nested(const Stmt& statement) {
  switch (statement.kind) {
    case NodeKind::For: return exec_for(static_cast<const For&>(statement));
    case NodeKind::If: return exec_if(static_cast<const If&>(statement));
    case NodeKind::Macro: exec_macro(static_cast<const Macro&>(statement)); break;
    case NodeKind::CallBlock: exec_call_block(static_cast<const CallBlock&>(statement)); break;
    case NodeKind::FilterBlock: return exec_filter_block(static_cast<const FilterBlock&>(statement));
    case NodeKind::With: return exec_with(static_cast<const With&>(statement));
    case NodeKind::Block: exec_block(static_cast<const Block&>(statement)); break;
    case NodeKind::Include: exec_include(static_cast<const Include&>(statement)); break;
    case NodeKind::Import: exec_import(static_cast<const Import&>(statement)); break;
    case NodeKind::FromImport: exec_from_import(static_cast<const FromImport&>(statement)); break;
    case NodeKind::Extends: exec_extends(static_cast<const Extends&>(statement)); break;
    case NodeKind::Assign: exec_assign(static_cast<const Assign&>(statement)); break;
    case NodeKind::AssignBlock: return exec_assign_block(static_cast<const AssignBlock&>(statement));
    case NodeKind::Do: eval(*static_cast<const Do&>(statement).expr); break;
    case NodeKind::Break: return Flow::Break;
    case NodeKind::Continue: return Flow::Continue;
    case NodeKind::Autoescape: return exec_autoescape(static_cast<const Autoescape&>(statement));
    default: CW_UNREACHABLE("not a statement");
  }
  return Flow::Next;
}

Evaluator::Flow Evaluator::exec_if(const If& statement) {
  const FrameId outside = frame;
  const Control control(*this);
  Effects effects(*this);
  Flow flow = Flow::Next;
  for (std::size_t i = 0;; ++i) {
    if (i == statement.branches.size()) {
      flow = exec(statement.otherwise);
      break;
    }
    const IfBranch& branch = statement.branches[i];
    Value condition;
    tested_ = OriginId::None;
    const auto holds = test(*branch.test, condition);
    if (!holds) {  // unknown which branch would run
      for (const IfBranch& skipped : statement.branches.subspan(i)) check_skipped(skipped.body);
      check_skipped(statement.otherwise);
      break;
    }
    frame = control_frame(RenderFrame::Kind::Condition, branch.test->span, condition);
    if (decides(condition)) {
      for (const IfBranch& other : statement.branches.subspan(i)) effects.add(other.body);
      effects.decide({statement.otherwise}, condition.origin());
    }
    if (*holds) {
      flow = exec(branch.body);
      break;
    }
  }
  frame = outside;
  effects.taint_names();
  return flow;
}

Evaluator::Flow Evaluator::exec_filter_block(const FilterBlock& statement) {
  enter(statement.scope);
  Value text;
  Flow flow = Flow::Next;
  {
    const Capture capture(*this);
    flow = exec(statement.body);
    text = capture.text().as_markup(escapes_);
  }
  if (flow == Flow::Next) {
    const Value result = eval_filter(*statement.filter, &text);
    stand_at(statement);
    // Jinja2 appends the filter's result to the output unchanged: without escaping, and only strings.
    if (result.is(Kind::String)) {
      emit(result.as_markup(true), statement.filter->span);
    } else if (usable(result)) {
      fail_as(diag::wrong_type.info, fmt::format("expected str instance, {} found", type_name(result)));
    }
  }
  leave(statement.scope);
  return flow;
}

Evaluator::Flow Evaluator::exec_with(const With& statement) {
  enter(statement.scope);
  for (const WithBinding& binding : statement.bindings) {
    const Value value = eval(*binding.value);
    stand_at(*binding.target);
    store(*binding.target, value);
  }
  const Flow flow = exec(statement.body);
  leave(statement.scope);
  return flow;
}

void Evaluator::exec_assign(const Assign& statement) {
  const bool storable = targets_are_namespaces(*statement.target);
  const Value value = eval(*statement.value);
  stand_at(statement);
  if (storable) store(*statement.target, value);
  if (statement.toplevel) store_toplevel(*statement.target);
}

// Markup(value): the text of any value, treated as HTML.
Value Evaluator::to_markup(const Value& value) {
  if (value.is(Kind::String) || value.is_error()) return value.as_markup(value.is(Kind::String));
  const std::uint64_t before = failures();
  const Value text = string(str(value));
  const Lineage from = lineage(value);
  return failures() != before ? Value::error() : derived(text, from.origin, from.tainted).as_markup();
}

Evaluator::Flow Evaluator::exec_assign_block(const AssignBlock& statement) {
  enter(statement.scope);
  Value text;
  Flow flow = Flow::Next;
  {
    const Capture capture(*this);
    flow = exec(statement.body);
    text = capture.text();
  }
  if (flow == Flow::Next) {
    if (statement.filter != nullptr) {
      text = text.as_markup(escapes_);
      text = eval_filter(*statement.filter, &text);
    }
    stand_at(statement);
    if (autoescape) text = to_markup(text);
    store(*statement.target, text);
    if (statement.toplevel) store_toplevel(*statement.target);
  }
  leave(statement.scope);
  return flow;
}

Evaluator::Flow Evaluator::exec_autoescape(const Autoescape& statement) {
  enter(statement.scope);
  Value condition;
  const auto enabled = test(*statement.enabled, condition);
  const Control control(*this);
  Effects effects(*this);
  if (decides(condition)) effects.decide({statement.body}, condition.origin());
  EscapeMode& mode = *record_->context->escape;
  const EscapeMode mode_before = mode;
  const bool escapes_before = escapes_;
  escapes_ = autoescape = mode.on = enabled.value_or(false);
  const Flow flow = exec(statement.body);
  mode = mode_before;
  escapes_ = escapes_before;
  autoescape = mode.on;
  leave(statement.scope);
  return flow;
}

}  // namespace capwright::jinja
