// Template inheritance: extends, blocks, super() and self.
#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "template/eval/activation.h"
#include "template/eval/evaluator.h"
#include "template/eval/template_objects.h"
#include "value/map_index.h"

namespace capwright::jinja {

void Evaluator::exec_extends(const Extends& statement) {
  const Value name = eval(*statement.name);
  stand_at(statement, statement.name->span);
  Record* root = record_;
  while (root->outer != nullptr) root = root->outer;
  if (root->parent != nullptr) {
    Node* repeat = arena().make<Node>(statement);
    repeat->line = statement.line_of_repeat;
    stand_at(*repeat);
    fail(diag::extended_twice);
    return;
  }
  const Template* parent = find_template(name, Missing::Report);
  if (parent == nullptr) return;
  root->parent = parent;
  add_blocks(*root->context, *parent);
}

// Runs a template's root, then the roots of the templates that it extends; all share one context.
void Evaluator::run_root(const Template& main, Context& context) {
  const Template* next = &main;
  FrameId via = frame;
  // Each counts as an open call, as in Jinja2, where a template that extends itself is a RecursionError.
  for (std::uint32_t extended = 0; next != nullptr && !stopped(); ++extended) {
    if (!enter_call(extended)) return;
    const Function& function = *next->root;
    LocalRecord local;
    Record& record = make_record(function, nullptr, context, local);
    record.owner = next;
    const Activation running(*this, record, via, next->options.autoescape);
    if (function.self_slot != kNoSlot) {
      record.slots[function.self_slot] = Value::object(arena().make<SelfObject>(*this, context));
    }
    enter(function.scope);
    exec(next->body);
    const Template* parent = record.parent;
    if (parent != nullptr) via = frame_for(here, "extended from");
    next = parent;
  }
}

void Evaluator::exec_block(const Block& block) {
  if (!runs(block.runs)) return;
  Context& context = block.scoped ? derived_context(block.locals) : *record_->context;
  const BlockChain* chain = find_blocks(context, block.name.text);
  stand_at(block, block.name.span);
  if (block.required && chain->first == chain->last) {
    fail(diag::required_block, block.name.text);
    return;
  }
  const FrameId outside = frame;
  frame = frame_for(block.name.span, "in block", block.name.text);
  run_block(*chain->first, context);
  frame = outside;
}

void Evaluator::run_block(const BlockStep& step, Context& context) {
  if (!enter_call()) return;
  const Function& function = *step.block->function;
  LocalRecord local;
  Record& record = make_record(function, nullptr, context, local);
  record.owner = step.owner;
  const Activation running(*this, record, frame, step.owner->options.autoescape);
  if (function.self_slot != kNoSlot) {
    record.slots[function.self_slot] = Value::object(arena().make<SelfObject>(*this, context));
  }
  if (function.super_slot != kNoSlot) record.slots[function.super_slot] = super_block(context, step);
  enter(function.scope);
  exec(step.block->body);
}

Value Evaluator::super_block(Context& context, const BlockStep& current) {
  if (current.parent != nullptr) return Value::object(arena().make<BlockObject>(*this, context, current.parent));
  return undefined_because(fmt::format("there is no parent block called '{}'.", current.block->name.text), "super");
}

Value Evaluator::call_block(const BlockStep& step, Context& context) {
  const FrameId outside = frame;
  frame = frame_for(here, "in block", step.block->name.text);
  Value text;
  {
    const Capture capture(*this);
    run_block(step, context);
    text = capture.text();
  }
  frame = outside;
  return text.as_markup(context.escape->on);
}

Value BlockObject::call(Runtime& runtime, const CallArguments& arguments) {
  if (!arguments.positional.empty() || !arguments.keywords.empty()) {
    return runtime.fail_as(diag::wrong_type.info, "BlockReference.__call__() takes 1 positional argument");
  }
  return evaluator_.call_block(*step_, context_);
}

std::optional<Value> BlockObject::attribute(Runtime& runtime, const Identifier& id) {
  if (id.text == "super") return evaluator_.super_block(context_, *step_);
  if (id.text == "name") return runtime.string(step_->block->name.text);
  return std::nullopt;
}

std::optional<Value> SelfObject::item(Runtime& runtime, const Value& key) {
  const BlockChain* chain = key.is(Kind::String) ? find_blocks(context_, key.text()) : nullptr;
  if (chain == nullptr) return std::nullopt;
  return Value::object(runtime.arena().make<BlockObject>(evaluator_, context_, chain->first));
}

void SelfObject::repr(Runtime& runtime, std::string& out) {
  out += "<TemplateReference " + runtime.repr(runtime.string(context_.owner->name)) + ">";
}

}  // namespace capwright::jinja
