// Look-ups on values, arguments, and calls of functions, methods, filters and tests.
#include <algorithm>
#include <iterator>

#include "diag/catalog/template_eval.h"
#include "diag/catalog/template_operations.h"
#include "diag/suggest.h"
#include "template/builtins/builtin.h"
#include "template/builtins/methods.h"
#include "template/eval/control.h"
#include "template/eval/evaluator.h"
#include "template/eval/template_objects.h"
#include "template/runtime/objects.h"
#include "template/runtime/watch.h"
#include "text/trim.h"

namespace capwright::jinja {
namespace {

// The source text of an owner, if it is short enough for a message.
std::string_view source_text(const SourceSet& sources, Span span) {
  constexpr std::size_t kLongest = 60;
  const std::string_view text = span.known() ? sources.text(span) : std::string_view();
  return text.size() <= kLongest && text.find('\n') == std::string_view::npos ? text : std::string_view();
}

// Methods that change their list or map. If a secret selected the object, a later look at any candidate reveals it.
bool changes_object(std::string_view method) {
  constexpr std::string_view kMethods[] = {"append", "extend",  "insert", "pop",     "remove",    "clear",
                                           "sort",   "reverse", "update", "popitem", "setdefault"};
  return std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
}

// The call whose text decides a condition; null if it isn't certain that there is one. The evaluator tests the left
// operand of `and` and `or` by itself.
const Call* deciding_call(const Expr& condition) {
  const Expr* expr = &condition;
  while (expr->kind == NodeKind::And || expr->kind == NodeKind::Or) {
    const auto& both = static_cast<const Logical&>(*expr);
    const NodeKind left = both.left->kind;
    const bool is_bool = left == NodeKind::Compare || left == NodeKind::Test || left == NodeKind::Not;
    if (expr->kind == NodeKind::Or && !is_bool) return nullptr;  // the left one may be a text, too
    expr = both.right;
  }
  return expr->kind == NodeKind::Call ? static_cast<const Call*>(expr) : nullptr;
}

}  // namespace

// Reports a macro whose text is meant as false: macros return text, and all text but the empty one is true.
void Evaluator::warn_of_macro_text(const Expr& condition, const Value& value) {
  const Call* asked = deciding_call(condition);
  if (asked == nullptr || value.tainted()) return;
  constexpr std::string_view kMeantAsFalse[] = {"", "False", "None", "false", "0", "[]", "{}"};
  const std::string_view text = trimmed(value.text());
  if (std::find(std::begin(kMeantAsFalse), std::end(kMeantAsFalse), text) == std::end(kMeantAsFalse)) return;
  if (as<MacroObject>(eval(*asked->callee)) == nullptr) return;
  const std::string_view call = source_text(stage.sources, asked->span);
  const std::string shown = call.empty() || call.find('`') != std::string_view::npos ? "macro" : std::string(call);
  const std::string printed = text.empty() ? "white space" : fmt::format("the text `{}`", text);
  Diagnostic* warning = report(diag::macro_text_tested, asked->span, shown, printed);
  if (warning == nullptr) return;
  warning->note("a macro returns text, and only the empty text is false");
  if (text.empty()) warning->advise(fmt::format("remove it: `{} | trim`", shown));
  else warning->advise(fmt::format("compare the text: `{} | trim != \"{}\"`", shown, text));
}

Value Evaluator::look_up_attribute(const Value& object, const GetAttr& look_up) {
  if (object.is(Kind::Map)) {  // the common case first
    if (const Value* found = find_key(object, look_up.name)) return object.tainted() ? part_of(object, *found) : *found;
  }
  if (object.kind() <= Kind::Undefined) {
    stand_at(look_up, look_up.name.span);
    return attribute(object, look_up.name);
  }
  stand_at(look_up, look_up.name.span);
  if (auto found = find_attribute(object, look_up.name)) return *found;
  return undefined_item(object, string(look_up.name.text),
                        {look_up.name.span, source_text(stage.sources, look_up.object->span)});
}

Value Evaluator::eval_attribute(const GetAttr& look_up) { return look_up_attribute(eval(*look_up.object), look_up); }

Value Evaluator::eval_item(const GetItem& look_up) {
  const Value object = eval(*look_up.object);
  if (look_up.key->kind == NodeKind::Slice) {
    return eval_slice(object, static_cast<const Slice&>(*look_up.key));
  }
  const Value key = eval(*look_up.key);
  stand_at(look_up, look_up.key->span);
  if (object.is_error() || key.is_error()) return Value::error();
  if (object.is(Kind::Undefined)) return item(object, key);
  if (auto found = find_item(object, key)) return *found;
  return undefined_item(object, key, {look_up.key->span, source_text(stage.sources, look_up.object->span)});
}

Value Evaluator::eval_slice(const Value& object, const Slice& bounds) {
  const Value start = bounds.start == nullptr ? Value::null() : eval(*bounds.start);
  const Value stop = bounds.stop == nullptr ? Value::null() : eval(*bounds.stop);
  const Value step = bounds.step == nullptr ? Value::null() : eval(*bounds.step);
  stand_at(bounds);
  return slice(object, start, stop, step);
}

bool Evaluator::add_star(const Expr& star, ArgumentValues& values) {
  const Value sequence = eval(star);
  stand_at(star);
  if (!usable(sequence)) return false;
  if (!iterable(sequence)) {
    fail_as(diag::wrong_type.info, fmt::format("argument after * must be an iterable, not {}", type_name(sequence)));
    return false;
  }
  const Watch watch(*this);
  Iterator* items = iterate(sequence);
  for (Value item; items->next(*this, item);) {
    if (!step() || !room_for_items(values.positional.size() + 1)) return false;
    values.positional.push_back(item);
  }
  values.counted = values.counted || watch.looked();
  return true;
}

bool Evaluator::add_star_star(const Expr& star_star, ArgumentValues& values) {
  const Value mapping = eval(star_star);
  stand_at(star_star);
  if (!usable(mapping)) return false;
  if (mapping.is(Kind::Undefined)) {  // the call needs its keys
    fail_undefined(mapping);
    return false;
  }
  if (!mapping.is(Kind::Map)) {
    fail_as(diag::wrong_type.info, fmt::format("argument after ** must be a mapping, not {}", type_name(mapping)));
    return false;
  }
  values.counted = values.counted || mapping.tainted();
  for (const Entry& entry : mapping.entries()) {
    if (!entry.key.is(Kind::String)) {
      fail_as(diag::wrong_type.info, "keywords must be strings");
      return false;
    }
    const std::string_view name = entry.key.text();
    for (const KeywordArgument& given : values.keywords.items()) {
      if (given.name.text != name) continue;
      fail_as(diag::wrong_type.info, fmt::format("got multiple values for keyword argument '{}'", name));
      return false;
    }
    values.keywords.push_back({{name, hash_text(name), star_star.span}, entry.value, entry.key.tainted()});
  }
  return true;
}

// Python evaluates `*args` before the keywords, regardless of its position.
bool Evaluator::eval_arguments(const Arguments& arguments, const Value* first, ArgumentValues& values) {
  if (first != nullptr) values.positional.push_back(*first);
  for (const Expr* argument : arguments.positional) values.positional.push_back(eval(*argument));
  if (arguments.star != nullptr && !add_star(*arguments.star, values)) return false;
  for (const Keyword& argument : arguments.keywords) {
    values.keywords.push_back({argument.name, eval(*argument.value)});
  }
  return arguments.star_star == nullptr || add_star_star(*arguments.star_star, values);
}

Value Evaluator::counted(const ArgumentValues& values, const Value& result) {
  return values.counted ? decided(result, OriginId::None) : result;
}

// `body`: the input of the first filter of a filter block.
Value Evaluator::eval_filter(const Filter& filter, const Value* body) {
  Value first;
  if (filter.operand == nullptr) {
    first = *body;
  } else if (body != nullptr && filter.operand->kind == NodeKind::Filter) {
    first = eval_filter(static_cast<const Filter&>(*filter.operand), body);
  } else {
    first = eval(*filter.operand);
  }
  ArgumentValues values;
  if (!eval_arguments(filter.arguments, &first, values)) return Value::error();
  stand_at(filter, filter.name.span);
  if (filter.builtin != nullptr) return counted(values, call_builtin(*this, *filter.builtin, values.view()));
  if (Diagnostic* fault = report(diag::unknown_filter_reached, filter.name.span, filter.name.text)) {
    const std::string hint = did_you_mean(filter.name.text, builtin_names(BuiltinKind::Filter));
    if (!hint.empty()) fault->advise(hint);
  }
  return Value::error();
}

Value Evaluator::eval_test(const Test& test) {
  const Value first = eval(*test.operand);
  ArgumentValues values;
  if (!eval_arguments(test.arguments, &first, values)) return Value::error();
  stand_at(test, test.name.span);
  // The test `defined` reveals nothing about the value, so it adds no taint; control traces record its operand
  // separately.
  if (input_.trace_control && test.builtin != nullptr && test.builtin->provenance == Provenance::Pass)
    tested_ = lineage(first).origin;
  if (test.builtin != nullptr) return counted(values, call_builtin(*this, *test.builtin, values.view()));
  if (Diagnostic* fault = report(diag::unknown_test_reached, test.name.span, test.name.text)) {
    const std::string hint = did_you_mean(test.name.text, builtin_names(BuiltinKind::Test));
    if (!hint.empty()) fault->advise(hint);
  }
  return Value::error();
}

Value Evaluator::eval_call(const Call& call_expr, const CallMode& mode) {
  const auto* method =
      call_expr.callee->kind == NodeKind::GetAttr ? static_cast<const GetAttr*>(call_expr.callee) : nullptr;
  const Value object = method == nullptr ? Value::error() : eval(*method->object);
  // Calls a method of a built-in type directly, without creating a bound method.
  const bool at_once = object.kind() > Kind::Undefined && !object.is(Kind::Object);
  Value callee;
  if (method == nullptr) {
    callee = eval(*call_expr.callee);
  } else if (!at_once) {
    callee = look_up_attribute(object, *method);
  }
  ArgumentValues values;
  if (!eval_arguments(call_expr.arguments, nullptr, values)) return Value::error();
  if (mode.caller != nullptr) {
    values.keywords.push_back({{"caller", hash_text("caller"), call_expr.span}, *mode.caller});
  }
  stand_at(call_expr);
  if (at_once) {
    const bool is_container = object.is(Kind::List) || object.is(Kind::Map);
    // Inside a part that a secret decided, its Control marks what the part changes.
    if (is_container && object.tainted() && !decisions_.now.secret && changes_object(method->name.text))
      Effects(*this).decide_rest(object.origin());
    if (const auto result = call_method(*this, object, method->name, values.view())) return counted(values, *result);
    callee = look_up_attribute(object, *method);
    stand_at(call_expr);
  }
  const bool is_macro = as<MacroObject>(callee) != nullptr;
  const bool has_state = callee.is(Kind::Object) && (callee.tainted() || object.tainted());
  if ((has_state && (is_macro || !decisions_.now.secret)) || (is_macro && values.counted))
    Effects(*this).decide_rest(callee.origin());
  if (mode.prints && callee.is(Kind::Object) && callee.object_rep()->print_call(*this, values.view())) {
    return Value::error();
  }
  return counted(values, call(callee, values.view()));
}

}  // namespace capwright::jinja
