// `for`: plain, filtered, recursive, and the `loop` object.
#include <fmt/format.h>

#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "template/builtins/builtin.h"
#include "template/eval/activation.h"
#include "template/eval/control.h"
#include "template/eval/evaluator.h"
#include "template/eval/template_objects.h"
#include "template/runtime/objects.h"
#include "template/runtime/watch.h"

namespace capwright::jinja {
namespace {

// Reports a loop over a text of the values, where a list is meant: the loop would run for each character.
void warn_of_characters(Runtime& runtime, Span where, const Value& text) {
  const Origin& origin = runtime.stage.origins[text.origin()];
  if (text.tainted() || text.text().empty() || origin.kind != Origin::Kind::Input || !origin.span.known()) return;
  Diagnostic* warning = runtime.report(diag::text_looped, where, runtime.stage.sources.text(where));
  if (warning == nullptr) return;
  warning->also(origin.span, "the text is set here");
  const std::string_view written = runtime.stage.sources.text(origin.span);
  const bool is_short =
      !written.empty() && written.size() <= 40 && written.find_first_of("\n`") == std::string_view::npos;
  warning->advise(fmt::format("write a list there: `[{}]`; if its characters are meant, add `| list` to the loop",
                              is_short ? written : "…"));
}

}  // namespace

// The items of `for … if condition`, tested one by one on demand: by the loop, and by `loop.last` and the like, perhaps
// in a macro, whose variables the condition doesn't see. Ends with its loop.
class FilteredItems final : public Iterator {
 public:
  FilteredItems(Evaluator& evaluator, const For& loop, Iterator* items)
      : evaluator_(evaluator), loop_(loop), items_(items), record_(evaluator.record_), escapes_(evaluator.escapes_) {}

  bool next(Runtime& runtime, Value& item) override {
    if (record_ == nullptr) return false;
    const Activation home(evaluator_, *record_, evaluator_.frame, escapes_);
    if (!entered_) evaluator_.enter(loop_.filter_scope);
    entered_ = true;
    while (runtime.step() && items_->next(runtime, item)) {
      evaluator_.stand_at(*loop_.filter);
      if (!evaluator_.store(*loop_.filter_target, item)) continue;
      Value condition;
      const auto holds = evaluator_.test(*loop_.filter, condition);
      runtime.look_at_truth(condition);
      if (holds.value_or(false)) {
        if (loop_.target->kind == NodeKind::Tuple) item = evaluator_.stored_tuple(*loop_.filter_target);
        return true;
      }
    }
    evaluator_.leave(loop_.filter_scope);
    return false;
  }
  // The record may be destroyed after the loop.
  void end() { record_ = nullptr; }

 private:
  Evaluator& evaluator_;
  const For& loop_;
  Iterator* items_;
  Record* record_;
  bool escapes_;
  bool entered_ = false;
};

// The value of a target as Python yields it: `(a, b)` is a new tuple, whatever type was unpacked.
Value Evaluator::stored_tuple(const Expr& target) {
  if (target.kind == NodeKind::Name) return slot(static_cast<const Name&>(target).slot);
  SmallVector<Value, 4> items;
  for (const Expr* item : static_cast<const Tuple&>(target).items) items.push_back(stored_tuple(*item));
  return tuple(items.items());
}

Evaluator::Flow Evaluator::exec_for(const For& loop) {
  const Value iterable = eval(*loop.iterable);
  stand_at(loop, loop.iterable->span);
  const FrameId outside = frame;
  frame = control_frame(RenderFrame::Kind::Loop, loop.iterable->span, iterable);
  if (loop.function == nullptr) {
    run_loop(loop, iterable, 0);
  } else {
    run_recursive(loop, record_, iterable, 0);
  }
  frame = outside;
  return Flow::Next;
}

void Evaluator::run_recursive(const For& loop, Record* outer, const Value& iterable, std::int64_t depth) {
  if (!enter_call()) return;
  LocalRecord local;
  Record& record = make_record(*loop.function, outer, *outer->context, local);
  const Activation running(*this, record, frame, escapes_);
  enter(loop.function->scope);
  run_loop(loop, iterable, depth);
}

Value Evaluator::call_loop(const LoopObject& loop, const Value& iterable) {
  const FrameId outside = frame;
  frame = frame_for(here, "in loop");
  at = &loop.statement();
  Value text;
  {
    const Capture capture(*this);
    run_recursive(loop.statement(), loop.outer(), iterable, loop.depth() + 1);
    text = capture.text();
  }
  frame = outside;
  return text.as_markup(escapes_);
}

void Evaluator::run_loop(const For& loop, const Value& iterable, std::int64_t depth) {
  const Control control(*this, loop);
  if (iterable.tainted()) Effects(*this).decide_loop(loop, iterable.origin());
  bool completed = false;  // a round that `break` or `continue` ends early doesn't count, as in Jinja2
  if (iterable.is(Kind::List) && loop.filter == nullptr && loop.loop_slot == kNoSlot) {
    completed = run_list_loop(loop, iterable);
  } else {
    const std::uint64_t before = failures();
    if (iterable.is(Kind::String)) warn_of_characters(*this, loop.iterable->span, iterable);
    Iterator* items = iterate(iterable);
    if (items == nullptr) {
      check_skipped(loop.body);
      check_skipped(loop.otherwise);
      return;
    }
    completed = run_item_loop(loop, iterable, items, depth) || failures() != before;
  }
  if (completed) return;
  enter(loop.otherwise_scope);
  exec(loop.otherwise);
  leave(loop.otherwise_scope);
}

// By handle and index, because the body may append to the list.
bool Evaluator::run_list_loop(const For& loop, const Value& list) {
  bool completed = false;
  const List& items = *list.list_rep();
  for (std::uint32_t i = 0; i < items.size && step(); ++i) {
    stand_at(loop, loop.target->span);
    const Flow flow = run_round(loop, list.tainted() ? items.items[i].with_taint() : items.items[i]);
    completed = completed || flow == Flow::Next;
    if (flow == Flow::Break) break;
  }
  return completed;
}

bool Evaluator::run_item_loop(const For& loop, const Value& iterable, Iterator* items, std::int64_t depth) {
  FilteredItems* filtered = loop.filter == nullptr ? nullptr : arena().make<FilteredItems>(*this, loop, items);
  if (filtered != nullptr) items = filtered;
  LoopObject* object = nullptr;
  if (loop.loop_slot != kNoSlot) {
    // A filtered loop has no length until it has run.
    const Value counted = loop.filter == nullptr ? iterable : Value::null();
    object = arena().make<LoopObject>(*this, loop, record_->outer, counted, items);
    object->at_depth(depth);
  }
  bool completed = false;
  Value item;
  const auto stand = [&] {
    stand_at(loop, loop.iterable->span);
    return step();
  };
  const auto next = [&] {
    const Watch watch(*this);
    const bool more = object != nullptr ? object->next(item) : items->next(*this, item);
    if (watch.looked()) Effects(*this).decide_loop(loop, watch.origin());
    return more;
  };
  while (stand() && next()) {
    if (object != nullptr) record_->slots[loop.loop_slot] = Value::object(object);
    stand_at(loop, loop.target->span);
    const Flow flow = run_round(loop, item);
    completed = completed || flow == Flow::Next;
    if (flow == Flow::Break) break;
  }
  if (filtered != nullptr) filtered->end();
  return completed;
}

Evaluator::Flow Evaluator::run_round(const For& loop, const Value& item) {
  store(*loop.target, item);
  enter(loop.scope);
  const Flow flow = exec(loop.body);
  leave(loop.scope);
  return flow;
}

bool LoopObject::next(Value& item) {
  if (decided_) evaluator_.look_at(Value::null().with_taint());
  if (!is_missing(after_)) {
    item = after_;
    after_ = kMissing;
  } else if (!items_->next(evaluator_, item)) {
    return false;
  }
  ++index_;
  before_ = current_;
  current_ = item;
  return true;
}

const Value* LoopObject::peek() {
  if (is_missing(after_)) {
    Value item;
    const Watch watch(evaluator_);
    const bool more = items_->next(evaluator_, item);
    if (watch.looked()) decided_ = true;
    if (!more) return nullptr;
    after_ = item;
  }
  return &after_;
}

// The length; an iterable without one is read to its end.
std::int64_t LoopObject::count() {
  if (count_ >= 0) return count_;
  const Value& value = iterable_;
  evaluator_.look_at(value);
  const bool sized = value.is(Kind::List) || value.is(Kind::Map) || value.is(Kind::String) || value.is(Kind::Undefined);
  std::optional<std::size_t> size;
  if (sized) size = evaluator_.length(value);
  if (value.is(Kind::Object)) size = value.object_rep()->length(evaluator_);
  if (size) return count_ = static_cast<std::int64_t>(*size);
  const Value rest = evaluator_.list({});
  const Watch watch(evaluator_);
  for (Value item; items_->next(evaluator_, item);) {
    if (!evaluator_.step() || !evaluator_.append(rest, item)) break;
  }
  if (watch.looked()) decided_ = true;
  items_ = evaluator_.iterate(rest);
  count_ = static_cast<std::int64_t>(rest.items().size()) + index_ + 1 + (is_missing(after_) ? 0 : 1);
  return count_;
}

Value LoopObject::cycle(const CallArguments& arguments) const {
  if (arguments.positional.empty()) {
    return evaluator_.fail_as(diag::wrong_type.info, "no items for cycling given");
  }
  return arguments.positional[static_cast<std::size_t>(index_) % arguments.positional.size()];
}

Value LoopObject::changed(const CallArguments& arguments) {
  const Value now = evaluator_.tuple(arguments.positional);
  const Watch watch(evaluator_);
  const bool same = !is_missing(last_changed_) && evaluator_.equals(last_changed_, now);
  if (!same) last_changed_ = now;
  return watch.result(Value::boolean(!same));
}

void LoopObject::repr(Runtime&, std::string& out) { out += fmt::format("<LoopContext {}/{}>", index_ + 1, count()); }

Value LoopObject::call(Runtime& runtime, const CallArguments& arguments) {
  if (arguments.positional.size() != 1 || !arguments.keywords.empty()) {
    return runtime.fail_as(diag::wrong_type.info, "LoopContext.__call__() takes 1 positional argument");
  }
  if (loop_.function == nullptr) return runtime.fail(diag::loop_not_recursive);
  return evaluator_.call_loop(*this, arguments.positional[0]);
}

namespace {

// `loop.cycle` and `loop.changed`.
class LoopMethod final : public Object {
 public:
  LoopMethod(LoopObject& loop, bool cycles) : loop_(loop), cycles_(cycles) {}
  std::string_view type_name() const override { return "method"; }
  bool callable() const override { return true; }
  Value call(Runtime&, const CallArguments& arguments) override {
    return cycles_ ? loop_.cycle(arguments) : loop_.changed(arguments);
  }

 private:
  LoopObject& loop_;
  bool cycles_;
};

}  // namespace

std::optional<Value> LoopObject::attribute(Runtime& runtime, const Identifier& id) {
  const std::string_view name = id.text;
  if (name == "index") return Value::integer(index_ + 1);
  if (name == "index0") return Value::integer(index_);
  if (name == "first") return Value::boolean(index_ == 0);
  if (name == "last") return Value::boolean(peek() == nullptr);
  if (name == "length") return Value::integer(count());
  if (name == "revindex") return Value::integer(count() - index_);
  if (name == "revindex0") return Value::integer(count() - index_ - 1);
  if (name == "depth") return Value::integer(depth_ + 1);
  if (name == "depth0") return Value::integer(depth_);
  if (name == "previtem") return index_ == 0 ? runtime.undefined_because("there is no previous item") : before_;
  if (name == "nextitem") {
    const Value* next_item = peek();
    return next_item == nullptr ? runtime.undefined_because("there is no next item") : *next_item;
  }
  if (name == "cycle" || name == "changed") {
    return Value::object(runtime.arena().make<LoopMethod>(*this, name == "cycle"));
  }
  return std::nullopt;
}

}  // namespace capwright::jinja
